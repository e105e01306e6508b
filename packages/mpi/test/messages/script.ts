import fc from 'fast-check'
import { kinds, values, type KindName, type Payload, type ValueName } from './payload.js'
import type { Place } from './place.js'

export type SendVerb = 'send' | 'ssend' | 'bsend' | 'rsend'
/** How a message is taken: at once, after a probe, or from a matched probe; and whether persistently. */
export type TakeVerb = 'receive' | 'probe' | 'mprobe' | 'persistent'

/** One message: what it is, and what both ends do about it. */
export interface Message {
  readonly id: number
  readonly from: number
  readonly to: number
  readonly tag: number
  readonly payload: Payload
  readonly send: SendVerb
  readonly persistent: boolean
  readonly sendPlace: Place
  readonly take: TakeVerb
  /** Memory is received into a buffer; otherwise, as values always are, by the form that returns it. */
  readonly into: boolean
  readonly takePlace: Place
  /** Place of the receive among those of its rank; below 1 it is posted before the rank sends. */
  readonly turn: number
}

/** What the receives of a rank name. */
export type Naming = 'exact' | 'anyTag' | 'anySource' | 'any'

export type Completing =
  'each' | 'reverse' | 'all' | 'any' | 'some' | 'test' | 'testAll' | 'testAny' | 'testSome'

/** Everybody starts everything and then completes it. */
export interface Crossing {
  readonly type: 'crossing'
  readonly messages: readonly Message[]
  readonly naming: readonly Naming[]
  readonly completing: readonly Completing[]
  /** Receives that nobody answers, to be cancelled, at each rank. */
  readonly cancels: number
  /** Whether each rank also sends to nobody, and to itself in a communicator of its own. */
  readonly asides: boolean
}

/** One message after the other, with verbs that wait. */
export interface Sequence {
  readonly type: 'sequence'
  readonly messages: readonly Message[]
  readonly anyTag: boolean
  /** How often a persistent operation is started. */
  readonly starts: number
}

/** All send to one, who takes whatever comes first. */
export interface Gather {
  readonly type: 'gather'
  readonly root: number
  readonly messages: readonly Message[]
}

/** Everybody sends to the rank so far above and receives from the one below. */
export interface Exchange {
  readonly type: 'exchange'
  readonly verb: 'sendrecv' | 'sendrecvInto' | 'sendrecvReplace'
  readonly shift: number
  readonly periodic: boolean
  readonly payload: Payload
  readonly sendPlace: Place
  readonly takePlace: Place
}

export type Phase = Crossing | Sequence | Gather | Exchange

/** A program in which every send has its receive. Its phases are kept apart by barriers. */
export interface Script {
  readonly ranks: number
  readonly phases: readonly Phase[]
}

const bytes = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0, 1, 7, 8, 9, 31, 32, 33, 64, 100) },
  // The eager limits of coroutines and of threads.
  { weight: 3, arbitrary: fc.constantFrom(1023, 1024, 1025, 4095, 4096, 4097) },
  { weight: 1, arbitrary: fc.constantFrom(8160, 8192, 8193, 65_535, 65_536, 65_537, 204_800) },
)

const memoryPayload = fc
  .tuple(fc.constantFrom('uint8' as const, ...(Object.keys(kinds) as KindName[])), bytes)
  .map(([kind, length]): Payload & { form: 'memory' } => {
    const elements = Math.floor(length / kinds[kind].BYTES_PER_ELEMENT)
    return { form: 'memory', kind, elements }
  })

const valuePayload = fc.record({
  form: fc.constant('value' as const),
  name: fc.constantFrom('text' as const, ...(Object.keys(values) as ValueName[])),
  // Serialised, a text is some bytes longer than its letters.
  length: fc.oneof(
    fc.nat(60),
    fc.integer({ min: 1015, max: 1026 }),
    fc.integer({ min: 4087, max: 4098 }),
  ),
})

export const payloads: fc.Arbitrary<Payload> = fc.oneof(memoryPayload, valuePayload)

const place: fc.Arbitrary<Place> = fc.record({
  shape: fc.oneof(
    { weight: 3, arbitrary: fc.constant('whole' as const) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        'part' as const,
        'vector' as const,
        'blocks' as const,
        'subarray' as const,
        'fortran' as const,
        'resized' as const,
        'transposed' as const,
      ),
    },
  ),
  registered: fc.boolean(),
  slack: fc.constantFrom(0, 0, 1, 5),
})

/** A sent buffer has no slack. */
const sendPlace = place.map((given): Place => ({ ...given, slack: 0 }))

function messages(ranks: number, maxLength: number): fc.Arbitrary<Message[]> {
  const message = fc.record({
    from: fc.nat(ranks - 1),
    to: fc.nat(ranks - 1),
    tag: fc.constantFrom(0, 1, 2 ** 30 - 1),
    payload: payloads,
    send: fc.constantFrom(
      'send' as const,
      'send' as const,
      'ssend' as const,
      'bsend' as const,
      'rsend' as const,
    ),
    persistent: fc.boolean(),
    sendPlace,
    take: fc.constantFrom(
      'receive' as const,
      'receive' as const,
      'probe' as const,
      'mprobe' as const,
      'persistent' as const,
    ),
    into: fc.boolean(),
    takePlace: place,
    turn: fc.double({ min: 0, max: 2, maxExcluded: true, noNaN: true }),
  })
  return fc
    .array(message, { maxLength, size: 'max' })
    .map((list) => list.map((each, index): Message => ({ id: index + 1, ...each })))
}

function crossing(ranks: number): fc.Arbitrary<Crossing> {
  const perRank = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
    fc.array(arbitrary, { minLength: ranks, maxLength: ranks })
  return fc.record({
    type: fc.constant('crossing' as const),
    messages: messages(ranks, 16),
    naming: perRank(fc.constantFrom<Naming>('exact', 'anyTag', 'anySource', 'any')),
    completing: perRank(
      fc.constantFrom<Completing>(
        'each',
        'reverse',
        'all',
        'any',
        'some',
        'test',
        'testAll',
        'testAny',
        'testSome',
      ),
    ),
    cancels: fc.constantFrom(0, 0, 1, 3),
    asides: fc.boolean(),
  })
}

function sequence(ranks: number): fc.Arbitrary<Sequence> {
  return fc.record({
    type: fc.constant('sequence' as const),
    messages: messages(ranks, 10),
    anyTag: fc.boolean(),
    starts: fc.constantFrom(1, 2, 3),
  })
}

function gather(ranks: number): fc.Arbitrary<Gather> {
  return fc.tuple(fc.nat(ranks - 1), messages(ranks, 16)).map(([root, list]): Gather => ({
    type: 'gather',
    root,
    messages: list.filter(({ from }) => from !== root).map((each) => ({ ...each, to: root })),
  }))
}

function exchange(ranks: number): fc.Arbitrary<Exchange> {
  return fc
    .record({
      type: fc.constant('exchange' as const),
      verb: fc.constantFrom(
        'sendrecv' as const,
        'sendrecvInto' as const,
        'sendrecvReplace' as const,
      ),
      shift: fc.integer({ min: -ranks, max: ranks }),
      periodic: fc.boolean(),
      payload: payloads,
      memory: memoryPayload,
      sendPlace,
      takePlace: place,
    })
    .map(({ memory, payload, ...rest }) => ({
      ...rest,
      payload: rest.verb === 'sendrecv' ? payload : memory,
    }))
}

export function scripts(ranks: fc.Arbitrary<number>): fc.Arbitrary<Script> {
  return ranks.chain((size) =>
    fc.record({
      ranks: fc.constant(size),
      phases: fc.array(
        fc.oneof(
          { weight: 3, arbitrary: crossing(size) },
          { weight: 2, arbitrary: sequence(size) },
          { weight: 1, arbitrary: gather(size) },
          { weight: 1, arbitrary: exchange(size) },
        ),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  )
}
