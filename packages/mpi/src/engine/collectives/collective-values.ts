import type { CollectiveOperation } from '../../coll/operation.js'
import type { Blocks } from '../../coll/plan/blocks.js'
import { collectives } from '../../coll/plan/collective.js'
import type { ValueBlocks } from '../../coll/plan/value-blocks.js'
import type { CommunicatorState } from '../../comm/communicator-state.js'
import { checkUsable, kindOf, NO_KIND, type TypedArray } from '../../datatype/index.js'
import { ArgumentError, InternalError } from '../../errors/index.js'
import type { Op } from '../../op/index.js'
import type { EncodedValue, ValueCodec } from '../../value/value-codec.js'
import { checkOp } from '../arguments.js'

/** What the caller of a collective of values gives, as blocks. */
export interface GivenValues {
  readonly input: readonly unknown[]
  /** Of a broadcast what its root gives. */
  readonly output?: readonly unknown[]
  /** Those of them that had to be serialised to see whether they can travel. */
  readonly encoded?: readonly (EncodedValue | undefined)[] | undefined
}

const NOTHING: GivenValues = { input: [] }

/**
 * The values that a rank gives, checked.
 *
 * @throws ArgumentError when there must be one for each rank and there are not
 * @throws OpError when the reduction is not defined on a value
 * @throws ValueError, BufferError when one cannot travel
 */
export function inputOf(
  codec: ValueCodec,
  on: CommunicatorState,
  { collective }: CollectiveOperation,
  given: unknown,
  root: number,
  op: Op | undefined,
): GivenValues {
  const { input, inputAt, reduces } = collectives[collective]
  if (collective === 'bcast') {
    if (on.rank !== root) return NOTHING
    const output = [given]
    return { input: [], output, encoded: encodeAll(codec, output) }
  }
  if (input === 'none' || (inputAt === 'root' && on.rank !== root)) return NOTHING
  if (input === 'each') {
    if (!Array.isArray(given) || given.length !== on.size) {
      const expected = `an array of ${on.size} values, one for each rank`
      throw new ArgumentError({ argument: 'values', seen: given, expected })
    }
    if (reduces) for (const value of given) checkOp(value, op!)
    return { input: given, encoded: encodeAll(codec, given) }
  }
  if (reduces) checkOp(given, op!)
  const values = [given]
  return { input: values, encoded: encodeAll(codec, values) }
}

/** Serialises what may refuse to be: better now than when others count on it. */
function encodeAll(
  codec: ValueCodec,
  values: readonly unknown[],
): (EncodedValue | undefined)[] | undefined {
  let encoded: (EncodedValue | undefined)[] | undefined
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value === null || !RISKY.has(typeof value)) continue
    if (kindOf(value) === NO_KIND) (encoded ??= [])[i] = codec.encode(value)
    else checkUsable(value as TypedArray, 'value')
  }
  return encoded
}

/** Types of values not all of which can travel. */
const RISKY: ReadonlySet<string> = new Set(['object', 'function', 'symbol'])

/** What the caller gets. */
export function resultOf(
  on: CommunicatorState,
  { collective }: CollectiveOperation,
  root: number,
): (blocks: Blocks) => unknown {
  const { output, outputAt } = collectives[collective]
  if (output === 'none' || (outputAt === 'root' && on.rank !== root)) return undefinedResult
  return output === 'each' ? allResults : firstResult
}

function undefinedResult(): undefined {}

function firstResult(blocks: Blocks): unknown {
  return (blocks as ValueBlocks).output[0]
}

function allResults(blocks: Blocks): unknown {
  return (blocks as ValueBlocks).output
}

function never(): never {
  throw new InternalError('a barrier carries nothing')
}

/** The blocks of a barrier. */
export const NO_VALUES: Blocks = {
  send: never,
  receive: never,
  received: never,
  receiveAside: never,
  foldReceived: never,
  copy: never,
  reduce: never,
  expose() {},
  get: never,
  getReduce: never,
  put: never,
  endOnce: never,
  finish() {},
  release() {},
}
