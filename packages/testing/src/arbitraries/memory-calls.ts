import fc from 'fast-check'
import { algorithmsFor, type AlgorithmChoice } from './algorithms.js'
import { timings, type Carrier, type Timing } from './carriers.js'
import { collectiveShapes, memoryOperations, type MemoryName } from './collectives.js'
import { LONG_BYTES } from './contents.js'
import { counts } from './counts.js'
import {
  elementReductionNames,
  elementReductions,
  type ElementReductionName,
} from './element-reductions.js'
import { bytesOf, kindNames, type KindName } from './element-types.js'
import { placeLayouts, places, typedLayouts, untypedLayouts, type PlaceShape } from './places.js'
import { rootOf } from './ranks.js'

/**
 * A collective of memory as plain data: all ranks read their part, and what they must get, out of it.
 * What is by rank goes round.
 */
export interface MemoryCall extends Timing {
  readonly name: MemoryName
  /** What the table says when left out. */
  readonly algorithm?: string
  readonly kind: KindName
  /** Elements of an item, which is what lengths count. */
  readonly item: number
  /** Items of a block; of blocks with lengths of their own, in turn. */
  readonly lengths: readonly number[]
  readonly root: number
  readonly reduction?: ElementReductionName
  readonly inPlace: boolean
  readonly send: readonly PlaceShape[]
  readonly recv: readonly PlaceShape[]
  /** Of what ranks give. */
  readonly seed: number
}

/** Which calls of a collective to draw. */
export interface CallConstraints {
  readonly ranks: number
  readonly carrier: Carrier
  /** Algorithms to draw from, fitting or not; those that can serve the call when left out. */
  readonly algorithms?: readonly AlgorithmChoice[]
}

/**
 * Calls of one collective of memory; shrinks toward one call of empty plain arrays.
 * @example
 * const data = memoryCalls('allreduceInto', { ranks: 3, carrier: coroutines })
 * await fc.assert(forAllWorlds({ ranks: 3, data }, performMemoryCall), { numRuns: 5 })
 */
export function memoryCalls(
  name: MemoryName,
  { ranks, carrier, algorithms }: CallConstraints,
): fc.Arbitrary<MemoryCall> {
  const { collective, listed, inPlace } = memoryOperations[name]
  const { reduces, givesEach } = collectiveShapes[collective]
  const rest = fc.record({
    root: rootOf(ranks),
    inPlace: inPlace === 'nowhere' ? fc.constant(false) : fc.boolean(),
    seed: fc.nat({ max: 1_000_000 }),
  })
  const moved = fc.record({
    kind: fc.constantFrom(...kindNames),
    item: fc.integer({ min: 1, max: 4 }),
    send: buffers(),
    recv: buffers(),
  })
  const data = reduces ? fc.constantFrom(...elementReductionNames).chain(reduced) : moved
  return data.chain((what: Data) => {
    const commutative = isCommutative(what.reduction)
    const constraints = { size: ranks, commutative, values: false, listed }
    const choices = algorithms ?? [undefined, ...algorithmsFor(collective, constraints)]
    // Of blocks for every rank together as much as of one.
    const itemBytes = (givesEach ? ranks : 1) * what.item * bytesOf(what.kind)
    const short = counts({ ranks, max: 2 * ranks })
    const long = counts({
      ranks,
      elementBytes: itemBytes,
      eagerLimitBytes: carrier.eagerLimitBytes,
      segmentBytes: LONG_BYTES,
      max: Math.max(2 * ranks, Math.ceil(LONG_BYTES / itemBytes)),
    })
    // The model looks at every element, so most blocks are short.
    const length = fc.oneof(
      { withCrossShrink: true },
      { weight: 2, arbitrary: short },
      { weight: 1, arbitrary: long },
    )
    const lengths = fc.array(length, { minLength: 1, maxLength: 6 })
    return fc
      .tuple(fc.constantFrom(...choices), lengths, rest, timings(carrier))
      .map(([algorithm, drawn, call, timing]): MemoryCall => {
        const by = algorithm === undefined ? {} : { algorithm }
        return { name, ...by, ...what, lengths: drawn, ...call, ...timing }
      })
  })
}

type Data = Pick<MemoryCall, 'kind' | 'item' | 'reduction' | 'send' | 'recv'>

function isCommutative(reduction: ElementReductionName | undefined): boolean {
  return reduction === undefined || elementReductions[reduction].commutative
}

function buffers(
  among = placeLayouts as readonly PlaceShape['layout'][],
): fc.Arbitrary<PlaceShape[]> {
  return fc.array(places(among), { minLength: 1, maxLength: 4 })
}

/** A function of the user takes whole items: all ranks have to see them as such, or none. */
function reduced(reduction: ElementReductionName): fc.Arbitrary<Data> {
  const { own, unit, accepts } = elementReductions[reduction]
  const sorts = own ? fc.constantFrom(untypedLayouts, typedLayouts) : fc.constant(placeLayouts)
  return sorts.chain((among) =>
    fc.record({
      reduction: fc.constant(reduction),
      kind: fc.constantFrom(...kindNames.filter(accepts)),
      item: own ? fc.constant(unit) : fc.constantFrom(unit, 2 * unit, 4),
      send: buffers(among),
      recv: buffers(among),
    }),
  )
}
