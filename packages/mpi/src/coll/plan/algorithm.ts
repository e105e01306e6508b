import type { Buffer, Side } from './buffer.js'
import { collectives, type CollectiveName } from './collective.js'

/** All that a round may depend on: equal on all ranks but for `rank`. */
export interface Environment {
  readonly size: number
  readonly rank: number
  /** Rank of the root; 0 where there is none. */
  readonly root: number
  /** Blocks that a vector is cut into, 1 with slots. For the others it is the number of ranks. */
  readonly blocks: number
  /** How many ways a round branches, for algorithms that have a radix. */
  readonly radix: number
  /** Whether what is published fits in a slot (`SLOT`, `SHARED`); otherwise peers reach in and out. */
  readonly slots: boolean
}

/**
 * What one round of one rank does. Blocks `index` to `index + count - 1` of a buffer are counted
 * modulo its number of blocks; `count` is 1 when left out. Operations are begun in the order
 * in which they are emitted, and one that touches a block which an operation under way will
 * write, or writes one that it reads, waits for it: rounds are an order, not a barrier.
 */
export interface Emit {
  send(peer: number, buffer: Buffer, index: number, count?: number): void
  receive(peer: number, buffer: Buffer, index: number, count?: number): void
  /** Receives and folds into the block; `side` says which operand the incoming one is. */
  receiveReduce(peer: number, buffer: Buffer, index: number, count: number, side: Side): void
  copy(from: Buffer, index: number, to: Buffer, toIndex: number, count?: number): void
  /** Folds `from` into `to`; `side` says which operand `from` is. */
  reduce(from: Buffer, index: number, to: Buffer, toIndex: number, count: number, side: Side): void

  /** A message without content, and the wait for one. */
  signal(peer: number): void
  await(peer: number): void

  // Ranks that share memory (`sharedMemory`):

  /** Tells all ranks that this one has come to stage `stage`, and what it has written before. */
  publish(stage: number): void
  awaitPublished(peer: number, stage: number): void
  /** Publishes a stage and waits until all ranks have. */
  meet(stage: number): void
  /** Of the ranks that have published `stage`, one, when all have, runs `operations`; all wait for it. */
  once(stage: number, operations: () => void): void
  /** Copies from a buffer of a peer. */
  get(peer: number, from: Buffer, index: number, to: Buffer, toIndex: number, count?: number): void
  /** Folds a buffer of a peer into one of this rank; `side` says which operand the peer's is. */
  getReduce(
    peer: number,
    from: Buffer,
    index: number,
    to: Buffer,
    toIndex: number,
    count: number,
    side: Side,
  ): void
  /** Copies to a buffer of a peer. */
  put(peer: number, from: Buffer, index: number, to: Buffer, toIndex: number, count?: number): void

  /** Ends what is under way before anything that follows begins. */
  fence(): void
}

/** What an algorithm needs to be right; checked before it is chosen. */
export interface Restrictions {
  /** Operands change places: for commutative reductions only. */
  readonly commutative?: true
  /** Every rank must know the length of every block: not for gatherv, scatterv and alltoallv. */
  readonly knownBlocks?: true
  /** All blocks must be equally long. */
  readonly equalBlocks?: true
  /** The number of ranks must be a power of two. */
  readonly powerOfTwo?: true
  readonly evenSize?: true
  readonly sizeMin?: number
  /** The ranks must share memory (one node, on the direct fabric). */
  readonly sharedMemory?: true
}

/** What `cut` may depend on. */
export interface Extents {
  readonly size: number
  /** Bytes of the whole vector. */
  readonly bytes: number
  readonly elements: number
}

/**
 * One algorithm of one collective: its card, and what each round does. The same definition runs
 * blocking, non-blocking and persistent, on memory and on values, and in the checker.
 */
export interface Algorithm {
  readonly collective: CollectiveName
  /** By which it is chosen: `recursive-doubling`. */
  readonly name: string
  /** As the literature calls it. */
  readonly title: string
  /** Paper or book, with the year. */
  readonly source: string
  /** When to use it, in one sentence. */
  readonly use: string
  /** Rounds and bytes sent by the busiest rank, as text: `p` ranks, `m` bytes of the vector, `b` of a block. */
  readonly cost: string
  readonly needs: Restrictions
  /** Radix when none is asked for; absent for algorithms that have none. */
  readonly radix?: number
  /** How many blocks a vector is cut into; 1 when left out. What is cut cannot be a value. */
  cut?(extents: Extents): number
  /** With slots a vector is one block in spite of `cut`, so values can be carried. */
  readonly wholeInSlots?: true
  /** For each block of `TMP` the block of the collective that it is as long as; none when left out. */
  scratch?(env: Environment): readonly number[]
  rounds(env: Environment): number
  /** Blocks sent (or put, or got) by the busiest rank: the checker compares. */
  volume(env: Environment): number
  round(k: number, env: Environment, emit: Emit): void
}

/**
 * Makes an algorithm: fills in what may be left out and refuses a card that cannot be used.
 *
 * @throws TypeError when the name is not in kebab-case, or something is missing
 * @example
 * const linear = defineCollective({
 *   collective: 'bcast',
 *   name: 'linear',
 *   title: 'linear',
 *   source: 'folklore',
 *   use: 'two or three ranks',
 *   cost: 'p - 1 sends of m by the root',
 *   rounds: () => 1,
 *   volume: ({ size }) => size - 1,
 *   round(_, { size, rank, root }, emit) {
 *     if (rank !== root) emit.receive(root, OUT, 0)
 *     else for (let r = 0; r < size; r++) if (r !== root) emit.send(r, OUT, 0)
 *   },
 * })
 */
export function defineCollective(
  card: Omit<Algorithm, 'needs'> & { readonly needs?: Restrictions },
): Algorithm {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(card.name)) {
    throw new TypeError(`the name of an algorithm is written in kebab-case, not \`${card.name}\``)
  }
  if (!Object.hasOwn(collectives, card.collective)) {
    const known = Object.keys(collectives).join(', ')
    throw new TypeError(`\`${card.collective}\` is no collective: there are ${known}`)
  }
  for (const part of ['rounds', 'volume', 'round'] as const) {
    if (typeof card[part] !== 'function') {
      throw new TypeError(`the algorithm ${card.name} lacks its function \`${part}\``)
    }
  }
  return { needs: {}, ...card }
}

/** Why an algorithm cannot be used for a call, in words, or nothing. */
export function unmet(
  { needs, cut, wholeInSlots, collective }: Algorithm,
  call: {
    readonly size: number
    readonly commutative: boolean
    readonly values: boolean
    readonly sharedMemory: boolean
    readonly knownBlocks: boolean
    readonly equalBlocks: boolean
  },
): string | undefined {
  const { size } = call
  if (needs.sharedMemory && !call.sharedMemory) return 'the ranks do not share memory'
  if (needs.commutative && !call.commutative) return 'the reduction does not commute'
  if (needs.powerOfTwo && (size & (size - 1)) !== 0) return `${size} is not a power of two`
  if (needs.evenSize && size % 2 !== 0) return `${size} is odd`
  if (needs.sizeMin !== undefined && size < needs.sizeMin) {
    return `it needs at least ${needs.sizeMin} ranks`
  }
  if (needs.knownBlocks && !call.knownBlocks) return 'no rank knows the length of all blocks'
  if (needs.equalBlocks && !call.equalBlocks) return 'blocks may differ in length'
  if (cut !== undefined && call.values && !wholeInSlots)
    return `it cuts what ${collective} carries, and values are whole`
  return undefined
}
