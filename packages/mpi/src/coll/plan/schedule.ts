import type { Algorithm, Emit, Environment } from './algorithm.js'
import { IN, OUT, SHARED, SLOT, TMP, type Buffer, type Side } from './buffer.js'
import { blocksOf, collectives, type CollectiveName } from './collective.js'

/**
 * Operations of rounds as numbers, which is what executors and the checker read:
 *
 * | word | send, receive | receiveReduce | copy, reduce | get, getReduce, put | stages | signal |
 * | --- | --- | --- | --- | --- | --- | --- |
 * | 0 | op | op | op | op | op | op |
 * | 1 | peer | peer | - | peer | peer | peer |
 * | 2 | buffer | buffer | from | from | - | - |
 * | 3 | index | index | index | index | - | - |
 * | 4 | - | - | to | to | - | - |
 * | 5 | - | - | to index | to index | - | - |
 * | 6 | count | count | count | count | stage | - |
 * | 7 | - | side | side | side | ops of `once` | - |
 */
export const OP_WORDS = 8

export const Op = {
  send: 0,
  receive: 1,
  receiveReduce: 2,
  copy: 3,
  reduce: 4,
  signal: 5,
  await: 6,
  publish: 7,
  awaitPublished: 8,
  once: 9,
  endOnce: 10,
  get: 11,
  getReduce: 12,
  put: 13,
  fence: 14,
} as const

export const OP_NAMES: readonly string[] = Object.keys(Op)

/** A schedule with more operations is made round by round, each time anew. */
const KEPT_OPS = 4096

/** Blocks that each symbolic buffer has in an environment. */
export function blockCounts(algorithm: Algorithm, env: Environment): readonly number[] {
  const { input, output, inputAt, outputAt } = collectives[algorithm.collective]
  const at = (where: 'all' | 'root'): boolean => where === 'all' || env.rank === env.root
  const given = at(inputAt) ? blocksOf(input, env.size, env.blocks) : 0
  const gotten = at(outputAt) ? blocksOf(output, env.size, env.blocks) : 0
  const counts: number[] = []
  counts[IN] = given
  counts[OUT] = gotten
  counts[TMP] = algorithm.scratch?.(env).length ?? 0
  // Slots hold what is given, of a broadcast what is to be gotten; the shared ones a whole result.
  counts[SLOT] =
    input === 'none'
      ? blocksOf(output, env.size, env.blocks)
      : blocksOf(input, env.size, env.blocks)
  counts[SHARED] = Math.max(
    blocksOf(input, env.size, env.blocks),
    blocksOf(output, env.size, env.blocks),
  )
  return counts
}

/**
 * Takes down what rounds emit. Ranges that wrap around become two. In place the input is named as the
 * part of the output that it is (of a scatter the other way round), and needs no copy.
 */
export class Recorder implements Emit {
  words = new Int32Array(16 * OP_WORDS)
  length = 0
  readonly #counts: readonly number[]
  readonly #env: Environment
  /** Which buffer is part of which in place, from which block on. */
  readonly #alias: Alias | undefined

  constructor(algorithm: Algorithm, env: Environment, inPlace: boolean) {
    this.#counts = blockCounts(algorithm, env)
    this.#env = env
    this.#alias = inPlace ? aliasOf(algorithm.collective, env) : undefined
  }

  send(peer: number, buffer: Buffer, index: number, count = 1): void {
    this.#ranged(Op.send, peer, buffer, index, count, 0)
  }

  receive(peer: number, buffer: Buffer, index: number, count = 1): void {
    this.#ranged(Op.receive, peer, buffer, index, count, 0)
  }

  receiveReduce(peer: number, buffer: Buffer, index: number, count: number, side: Side): void {
    this.#ranged(Op.receiveReduce, peer, buffer, index, count, side)
  }

  copy(from: Buffer, index: number, to: Buffer, toIndex: number, count = 1): void {
    this.#moved(Op.copy, -1, from, index, to, toIndex, count, 0)
  }

  reduce(
    from: Buffer,
    index: number,
    to: Buffer,
    toIndex: number,
    count: number,
    side: Side,
  ): void {
    this.#moved(Op.reduce, -1, from, index, to, toIndex, count, side)
  }

  signal(peer: number): void {
    this.#add(Op.signal, peer, 0, 0, 0, 0, 0, 0)
  }

  await(peer: number): void {
    this.#add(Op.await, peer, 0, 0, 0, 0, 0, 0)
  }

  publish(stage: number): void {
    this.#add(Op.publish, -1, 0, 0, 0, 0, stage, 0)
  }

  awaitPublished(peer: number, stage: number): void {
    if (peer !== this.#env.rank) this.#add(Op.awaitPublished, peer, 0, 0, 0, 0, stage, 0)
  }

  meet(stage: number): void {
    const { size, rank } = this.#env
    this.publish(stage)
    for (let distance = 1; distance < size; distance++) {
      this.awaitPublished((rank + distance) % size, stage)
    }
  }

  once(stage: number, operations: () => void): void {
    const at = this.length
    this.#add(Op.once, -1, 0, 0, 0, 0, stage, 0)
    operations()
    this.words[at * OP_WORDS + 7] = this.length - at - 1
    this.#add(Op.endOnce, -1, 0, 0, 0, 0, stage, 0)
  }

  get(peer: number, from: Buffer, index: number, to: Buffer, toIndex: number, count = 1): void {
    this.#moved(Op.get, peer, from, index, to, toIndex, count, 0)
  }

  getReduce(
    peer: number,
    from: Buffer,
    index: number,
    to: Buffer,
    toIndex: number,
    count: number,
    side: Side,
  ): void {
    this.#moved(Op.getReduce, peer, from, index, to, toIndex, count, side)
  }

  put(peer: number, from: Buffer, index: number, to: Buffer, toIndex: number, count = 1): void {
    this.#moved(Op.put, peer, from, index, to, toIndex, count, 0)
  }

  fence(): void {
    this.#add(Op.fence, -1, 0, 0, 0, 0, 0, 0)
  }

  /** Sender and receiver name the same blocks, so both cut a range that wraps at the same place. */
  #ranged(
    op: number,
    peer: number,
    buffer: Buffer,
    index: number,
    count: number,
    side: number,
  ): void {
    const blocks = this.#counts[buffer]!
    const first = blocks === 0 ? index : index % blocks
    const whole = Math.min(count, Math.max(blocks - first, 1))
    if (count > 0) this.#add(op, peer, buffer, first, 0, 0, whole, side)
    if (count > whole) this.#ranged(op, peer, buffer, 0, count - whole, side)
  }

  /** What is moved within one memory is cut wherever either side wraps. */
  #moved(
    op: number,
    peer: number,
    from: Buffer,
    index: number,
    to: Buffer,
    toIndex: number,
    count: number,
    side: number,
  ): void {
    // Of a peer's buffer that this rank has no part of (in or out at the root) the blocks are not wrapped,
    // nor of one that is not there, which is seen later.
    const remote = op === Op.get || op === Op.getReduce ? from : op === Op.put ? to : undefined
    const fromBlocks = remote === from ? Infinity : this.#counts[from] || Infinity
    const toBlocks = op === Op.put ? Infinity : this.#counts[to] || Infinity
    let done = 0
    while (done < count) {
      const at = fromBlocks === Infinity ? index + done : (index + done) % fromBlocks
      const toAt = toBlocks === Infinity ? toIndex + done : (toIndex + done) % toBlocks
      const piece = Math.min(count - done, fromBlocks - at, toBlocks - toAt)
      this.#add(op, peer, from, at, to, toAt, piece, side)
      done += piece
    }
  }

  #add(
    op: number,
    peer: number,
    buffer: number,
    index: number,
    to: number,
    toIndex: number,
    count: number,
    side: number,
  ): void {
    if (this.#alias !== undefined) {
      // Buffers of a peer keep their names: what is in place there is known there.
      if (op !== Op.get && op !== Op.getReduce && buffer === this.#alias.part) {
        index += this.#alias.first
        buffer = this.#alias.of
      }
      if (op !== Op.put && op >= Op.copy && to === this.#alias.part) {
        toIndex += this.#alias.first
        to = this.#alias.of
      }
      if (op === Op.copy && buffer === to && index === toIndex) return
    }
    const at = this.length * OP_WORDS
    if (at === this.words.length) {
      const words = new Int32Array(2 * at)
      words.set(this.words)
      this.words = words
    }
    const { words } = this
    words[at] = op
    words[at + 1] = peer
    words[at + 2] = buffer
    words[at + 3] = index
    words[at + 4] = to
    words[at + 5] = toIndex
    words[at + 6] = count
    words[at + 7] = side
    this.length++
  }
}

export interface Alias {
  readonly part: Buffer
  readonly of: Buffer
  readonly first: number
}

/**
 * What `IN_PLACE` means (MPI 4.1, chapter 6): where there is a root, something at the root only; of an
 * all-to-all and a reduce-scatter it is a copy first.
 */
export function aliasOf(
  collective: CollectiveName,
  { rank, root }: Environment,
): Alias | undefined {
  if (collectives[collective].rooted && rank !== root) return undefined
  switch (collective) {
    case 'reduce':
    case 'allreduce':
    case 'scan':
    case 'exscan':
      return { part: IN, of: OUT, first: 0 }
    case 'gather':
    case 'allgather':
      return { part: IN, of: OUT, first: rank }
    case 'scatter':
      return { part: OUT, of: IN, first: root }
    default:
      return undefined
  }
}

/**
 * The operations of one rank for one algorithm and environment, in pages: one page that is kept when
 * there are few, a page a round when there are many.
 */
export class Schedule {
  readonly algorithm: Algorithm
  readonly env: Environment
  readonly rounds: number
  /** Blocks of each symbolic buffer. */
  readonly counts: readonly number[]
  /** For each block of `TMP` the block of the collective that it is as long as. */
  readonly scratch: readonly number[]
  /** All operations, when they are few. */
  readonly whole: Page | undefined
  readonly inPlace: boolean
  /** Whether this rank waits until each of the others has published something. */
  readonly hearsAll: boolean

  constructor(algorithm: Algorithm, env: Environment, inPlace: boolean) {
    this.algorithm = algorithm
    this.env = env
    this.inPlace = inPlace
    this.rounds = algorithm.rounds(env)
    this.counts = blockCounts(algorithm, env)
    this.scratch = algorithm.scratch?.(env) ?? []
    this.whole = this.#recordAll()
    this.hearsAll = this.whole !== undefined && peersHeard(this.whole) === env.size - 1
  }

  /** Pages to go through. */
  get pages(): number {
    return this.whole === undefined ? this.rounds : 1
  }

  page(number: number): Page {
    return this.whole ?? this.#record(number)
  }

  #recordAll(): Page | undefined {
    const { algorithm, env } = this
    const recorder = new Recorder(algorithm, env, this.inPlace)
    const ends: number[] = []
    for (let k = 0; k < this.rounds; k++) {
      algorithm.round(k, env, recorder)
      ends.push(recorder.length)
      if (recorder.length > KEPT_OPS) return undefined
    }
    return { words: recorder.words, length: recorder.length, ends }
  }

  #record(round: number): Page {
    const recorder = new Recorder(this.algorithm, this.env, this.inPlace)
    this.algorithm.round(round, this.env, recorder)
    return { words: recorder.words, length: recorder.length }
  }
}

/** Peers that are waited for at the first stage, outside of what only one rank runs. */
function peersHeard({ words, length }: Page): number {
  const peers = new Set<number>()
  for (let at = 0; at < length * OP_WORDS; at += OP_WORDS) {
    if (words[at] === Op.once) at += words[at + 7]! * OP_WORDS
    else if (words[at] === Op.awaitPublished && words[at + 6] === 0) peers.add(words[at + 1]!)
  }
  return peers.size
}

export interface Page {
  readonly words: Int32Array
  /** In operations. */
  readonly length: number
  /** Of a page of several rounds where each of them ends. */
  readonly ends?: readonly number[]
}
