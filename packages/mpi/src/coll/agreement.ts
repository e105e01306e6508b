import type { CommunicatorState } from '../comm/communicator-state.js'
import { nameOf } from '../datatype/index.js'
import type { Saying } from '../device/board.js'
import { AgreementError, type CollectiveFacts } from '../errors/index.js'
import { predefined, type Op } from '../op/index.js'
import { COLLECTIVE_OPERATIONS, type CollectiveOperation } from './operation.js'
import { collectives } from './plan/collective.js'
import { algorithmsOf } from './select/registry.js'

/** Blocking, non-blocking and persistent calls do not match each other (MPI 4.1, 6.12 and 6.13). */
export type Form = 'blocking' | 'started' | 'persistent'

/** One rank's call, as far as it must agree with those of the others. */
export interface Call {
  readonly operation: CollectiveOperation
  readonly form: Form
  readonly root: number
  readonly op: Op | undefined
  /** Kind of the elements; -1 of values. */
  readonly kind: number
  /** Elements that all ranks must name alike; -1 where they need not. */
  readonly count: number
  /** How they are divided, where all ranks must divide them alike. */
  readonly division?: Division | undefined
  /** The algorithm that the call names, `name` or `name:radix`; none when the table chooses. */
  readonly algorithm?: string | undefined
}

/** Numbers that tell it, and the same in words. */
export interface Division {
  readonly numbers: readonly number[]
  readonly words: string
}

const FORMS: readonly Form[] = ['blocking', 'started', 'persistent']

// The 32 bits of facts: operation and form 7, root 15, reduction 6, kind 4.
const ROOT_SHIFT = 7
const REDUCTION_SHIFT = 22
const KIND_SHIFT = 28
const NO_KIND_BITS = 15
const PREDEFINED_BITS = 16

/** Of the stack of an error: the library's own are more than the usual ten, and the program's call is wanted. */
const FRAMES = 50

/** Counts up to here are told exactly; others, what is divided and what names an algorithm by a hash. */
const EXACT_COUNTS = 60_000
const HASHES = 5_501

/** What a rank says of its call. */
export function said(call: Call): Saying {
  const { operation, form, root, op, kind } = call
  const facts =
    (1 + operation.number * FORMS.length + FORMS.indexOf(form)) |
    ((root & 0x7fff) << ROOT_SHIFT) |
    (reductionBits(op) << REDUCTION_SHIFT) |
    ((kind < 0 ? NO_KIND_BITS : kind) << KIND_SHIFT)
  return { facts, extra: countBits(call) }
}

/** The error of a rank whose call differs from what another rank said. */
export function disagreement(
  on: CommunicatorState,
  number: number,
  call: Call,
  other: Saying,
): AgreementError {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES
  const error = new AgreementError({
    communicator: on.name,
    context: on.collectiveContext,
    number,
    called: described(call),
    first: heard(other, call),
  })
  Error.stackTraceLimit = limit
  return error
}

function reductionBits(op: Op | undefined): number {
  if (op === undefined) return 0
  const place = predefined.indexOf(op)
  return place >= 0 ? 1 + place : PREDEFINED_BITS + (op.fingerprint % (64 - PREDEFINED_BITS))
}

function countBits({ count, division, algorithm = '' }: Call): number {
  if (division === undefined && algorithm === '') {
    if (count < 0) return 0
    if (count < EXACT_COUNTS) return 1 + count
  }
  // Round numbers must not be alike.
  let hash = mixed(0x811c9dc5, count)
  for (const number of division?.numbers ?? []) hash = mixed(hash, number)
  for (let i = 0; i < algorithm.length; i++) hash = mixed(hash, algorithm.charCodeAt(i))
  return 1 + EXACT_COUNTS + (hash % HASHES)
}

function mixed(hash: number, number: number): number {
  const low = Math.imul(hash ^ (number | 0), 0x85ebca6b)
  const high = Math.imul((low ^ (low >>> 15) ^ (number / 2 ** 32)) | 0, 0xc2b2ae35)
  return (high ^ (high >>> 13)) >>> 0
}

/** What reports and errors say of a call. */
export function described(call: Call): CollectiveFacts {
  const { operation, form, root, op, kind, count, division, algorithm } = call
  const name =
    form === 'started'
      ? operation.iName
      : form === 'persistent'
        ? `${operation.name}Init`
        : operation.name
  if (operation.making) return { operation: name }
  const { rooted } = collectives[operation.collective]
  return {
    operation: name,
    root: rooted ? root : undefined,
    reduction: op?.name,
    kind: kind < 0 ? undefined : nameOf(kind),
    count: count < 0 ? undefined : count,
    algorithm,
    others: division?.words,
  }
}

/** What a hash may stand for that is like nothing of one's own. */
const UNKNOWN = 'other counts or another algorithm'

/** One's own call, if need be by another algorithm of the library, when the hash says that it may be that. */
function soundingLike(
  extra: number,
  own: Call,
  { collective }: CollectiveOperation,
): Call | undefined {
  const names = [own.algorithm, undefined, ...algorithmsOf(collective).map(({ name }) => name)]
  const calls = names.map((algorithm): Call => ({ ...own, algorithm }))
  return calls.find((call) => countBits(call) === extra)
}

/** What another rank has said, in words; what a hash cannot tell is told by comparing with one's own. */
function heard({ extra, facts }: Saying, own: Call): CollectiveFacts {
  const code = (facts & 0x7f) - 1
  const operation = COLLECTIVE_OPERATIONS[Math.floor(code / FORMS.length)]!
  const form = FORMS[code % FORMS.length]!
  const reduction = (facts >>> REDUCTION_SHIFT) & 0x3f
  const kindBits = facts >>> KIND_SHIFT
  const isExact = extra <= EXACT_COUNTS
  const alike = isExact ? undefined : soundingLike(extra, own, operation)
  return {
    ...described({
      operation,
      form,
      root: (facts >>> ROOT_SHIFT) & 0x7fff,
      op: undefined,
      kind: kindBits === NO_KIND_BITS ? -1 : kindBits,
      count: isExact ? extra - 1 : (alike?.count ?? -1),
      algorithm: alike?.algorithm,
    }),
    others: isExact ? undefined : alike === undefined ? UNKNOWN : alike.division?.words,
    reduction:
      reduction === 0
        ? undefined
        : reduction < PREDEFINED_BITS
          ? predefined[reduction - 1]!.name
          : reduction === reductionBits(own.op)
            ? own.op!.name
            : 'another reduction of the user',
  }
}
