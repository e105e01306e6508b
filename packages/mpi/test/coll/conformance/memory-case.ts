import fc from 'fast-check'
import { kindNames, type KindName } from './elements.js'
import { memoryOperations, type Finding, type Form, type MemoryName } from './operations.js'
import { shapes } from './oracle.js'
import { layouts, type Layout, type PlaceShape } from './place.js'
import { reductionNames, reductions, type ReductionName } from './reductions.js'

/** Items of a block; `p` is the number of ranks. `long` does not fit in a slot, nor in an eager message. */
export type Length = '0' | '1' | '2' | 'p-1' | 'p' | 'p+1' | '2p' | 'long'

/** One collective of memory: all ranks read their part, and what they must get, out of it. */
export interface MemoryCase {
  readonly name: MemoryName
  /** What the table says when left out. */
  readonly algorithm?: string
  readonly kind: KindName
  /** Elements of an item, which is what block lengths count. */
  readonly item: number
  /** Of blocks with lengths of their own, in turn. */
  readonly lengths: readonly Length[]
  /** Modulo the number of ranks. */
  readonly root: number
  readonly reduction?: ReductionName
  readonly inPlace: boolean
  /** By rank, in turn. */
  readonly send: readonly PlaceShape[]
  readonly recv: readonly PlaceShape[]
  readonly form: Form
  readonly finding: readonly Finding[]
  /** Turns of the event loop before each call. */
  readonly pauses: readonly number[]
  readonly starts: number
  readonly seed: number
}

const lengths: readonly Length[] = ['0', '1', '2', 'p-1', 'p', 'p+1', '2p', 'long']

/** More than a slot holds, and than goes eagerly, on any carrier. */
const LONG_BYTES = 6000

export function itemsOf(length: Length, ranks: number, itemBytes: number): number {
  switch (length) {
    case 'p-1':
      return ranks - 1
    case 'p':
      return ranks
    case 'p+1':
      return ranks + 1
    case '2p':
      return 2 * ranks
    case 'long':
      return Math.ceil(LONG_BYTES / itemBytes)
    default:
      return Number(length)
  }
}

/** Waiting on a thread is not for ranks that share one. */
export interface Carrier {
  readonly forms: readonly Form[]
  readonly findings: readonly Finding[]
}

export const coroutines: Carrier = { forms: ['started', 'persistent'], findings: ['await', 'test'] }
export const threads: Carrier = {
  forms: ['blocking', 'started', 'persistent'],
  findings: ['await', 'test', 'wait'],
}

const anyLayout: readonly Layout[] = layouts
const untyped: readonly Layout[] = ['whole', 'part', 'window']
const typed = layouts.filter((layout) => !untyped.includes(layout))

function places(among: readonly Layout[]): fc.Arbitrary<PlaceShape[]> {
  const one = fc.record({
    layout: fc.constantFrom(...among),
    registered: fc.boolean(),
    strewn: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1000 })),
  })
  return fc.array(one, { minLength: 1, maxLength: 4 })
}

/** Cases of one operation, with some of these algorithms. */
export function memoryCases(
  name: MemoryName,
  algorithms: readonly (string | undefined)[],
  { forms, findings }: Carrier,
): fc.Arbitrary<MemoryCase> {
  const { collective, inPlace } = memoryOperations[name]
  const reduces = shapes[collective].reduces
  const rest = {
    algorithm: fc.constantFrom(...algorithms),
    lengths: fc.array(fc.constantFrom(...lengths), { minLength: 1, maxLength: 6 }),
    root: fc.nat({ max: 16 }),
    inPlace: inPlace === 'nowhere' ? fc.constant(false) : fc.boolean(),
    form: fc.constantFrom(...forms),
    finding: fc.array(fc.constantFrom(...findings), { minLength: 1, maxLength: 3 }),
    pauses: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }),
    starts: fc.integer({ min: 1, max: 3 }),
    seed: fc.nat({ max: 1_000_000 }),
  }
  const moved = fc.record({
    kind: fc.constantFrom(...kindNames),
    item: fc.integer({ min: 1, max: 4 }),
    send: places(anyLayout),
    recv: places(anyLayout),
  })
  const what = reduces ? fc.constantFrom(...reductionNames).chain(reduced) : moved
  return fc.tuple(what, fc.record(rest)).map(([data, { algorithm, ...call }]): MemoryCase => {
    return { name, ...(algorithm === undefined ? {} : { algorithm }), ...data, ...call }
  })
}

/** A function of the user takes whole items: all ranks have to see them as such, or none. */
function reduced(reduction: ReductionName) {
  const { own, unit, accepts } = reductions[reduction]
  const sorts = own ? fc.constantFrom(untyped, typed) : fc.constant(anyLayout)
  return sorts.chain((among) =>
    fc.record({
      reduction: fc.constant(reduction),
      kind: fc.constantFrom(...kindNames.filter(accepts)),
      item: own ? fc.constant(unit) : fc.constantFrom(unit, 2 * unit, 4),
      send: places(among),
      recv: places(among),
    }),
  )
}
