import { AlgorithmError } from '../../errors/index.js'
import { BUFFER_NAMES, IN, OUT, SHARED, SLOT } from './buffer.js'
import { collectives } from './collective.js'
import { blockCounts, Op, OP_NAMES, OP_WORDS, type Page, type Schedule } from './schedule.js'

/** Stages that an entry of the board has room for. */
const STAGES_MAX = 254

/**
 * Whether a schedule stays within the ranks and the blocks that there are: of an algorithm that nobody
 * has checked, an operation out of bounds would touch memory that is none of its business.
 *
 * @throws AlgorithmError
 */
export function checkBounds(schedule: Schedule): void {
  const bounds = new Bounds(schedule)
  try {
    for (let number = 0; number < schedule.pages; number++) bounds.check(schedule.page(number))
  } catch (error) {
    if (!(error instanceof OutOfBounds)) throw error
    // Thrown here and not where it was found, so that the program's call is still on the short stack.
    const { collective, name: algorithm } = schedule.algorithm
    const problem = `is wrong: ${error.message}. checkAlgorithm tells more`
    throw new AlgorithmError({ collective, algorithm, problem })
  }
}

class OutOfBounds extends Error {}

class Bounds {
  readonly #schedule: Schedule
  readonly #reduces: boolean
  readonly #sharesMemory: boolean
  #countsOfRoot: readonly number[] | undefined
  #countsOfOthers: readonly number[] | undefined

  constructor(schedule: Schedule) {
    this.#schedule = schedule
    this.#reduces = collectives[schedule.algorithm.collective].reduces
    this.#sharesMemory = schedule.algorithm.needs.sharedMemory === true
  }

  check({ words, length }: Page): void {
    const { counts } = this.#schedule
    for (let at = 0; at < length * OP_WORDS; at += OP_WORDS) {
      const op = words[at]!
      const peer = words[at + 1]!
      const buffer = words[at + 2]!
      const index = words[at + 3]!
      const to = words[at + 4]!
      const toIndex = words[at + 5]!
      const count = words[at + 6]!
      if (op >= Op.publish && op <= Op.put && !this.#sharesMemory) {
        this.#refuse(op, 'needs ranks that share memory: needs: { sharedMemory: true }')
      }
      if (op === Op.receiveReduce || op === Op.reduce || op === Op.getReduce) this.#checkFolds(op)
      switch (op) {
        case Op.send:
        case Op.receive:
        case Op.receiveReduce:
          this.#checkPeer(op, peer)
          this.#checkBlocks(op, counts, buffer, index, count)
          if (op !== Op.send) this.#checkWrites(op, buffer)
          break
        case Op.signal:
        case Op.await:
          this.#checkPeer(op, peer)
          break
        case Op.copy:
        case Op.reduce:
          this.#checkBlocks(op, counts, buffer, index, count)
          this.#checkBlocks(op, counts, to, toIndex, count)
          this.#checkWrites(op, to)
          break
        case Op.get:
        case Op.getReduce:
          this.#checkBlocks(op, this.#countsOfPeer(op, peer, buffer), buffer, index, count)
          this.#checkBlocks(op, counts, to, toIndex, count)
          this.#checkWrites(op, to)
          break
        case Op.put:
          this.#checkBlocks(op, counts, buffer, index, count)
          this.#checkBlocks(op, this.#countsOfPeer(op, peer, to), to, toIndex, count)
          this.#checkWrites(op, to)
          break
        case Op.awaitPublished:
          this.#checkPeer(op, peer)
          this.#checkStage(op, count)
          break
        case Op.publish:
        case Op.once:
          this.#checkStage(op, count)
          break
      }
    }
  }

  #checkPeer(op: number, peer: number): void {
    const { size } = this.#schedule.env
    if (peer < 0 || peer >= size) this.#refuse(op, `names rank ${peer} of ${size}`)
  }

  #checkStage(op: number, stage: number): void {
    if (stage < 0 || stage > STAGES_MAX) this.#refuse(op, `names stage ${stage} of ${STAGES_MAX}`)
  }

  /** In place the input may be a part of the output, or the output of the input. */
  #checkWrites(op: number, buffer: number): void {
    if (buffer === IN && !this.#schedule.inPlace) this.#refuse(op, 'writes IN')
  }

  #checkFolds(op: number): void {
    if (!this.#reduces) this.#refuse(op, 'has nothing to reduce by')
  }

  #checkBlocks(
    op: number,
    counts: readonly number[],
    buffer: number,
    index: number,
    count: number,
  ): void {
    const blocks = counts[buffer] ?? 0
    if ((buffer === SLOT || buffer === SHARED) && !this.#schedule.env.slots) {
      this.#refuse(op, `uses ${nameOf(buffer)} where env.slots is false`)
    }
    if (index >= 0 && index + count <= blocks) return
    const seen = count === 1 ? `block ${index}` : `blocks ${index} to ${index + count - 1}`
    this.#refuse(op, `uses ${seen} of ${nameOf(buffer)}, which has ${blocks}`)
  }

  /** Blocks of the buffers of a peer; of those that it shows. */
  #countsOfPeer(op: number, peer: number, buffer: number): readonly number[] {
    this.#checkPeer(op, peer)
    const { algorithm, env, counts } = this.#schedule
    const { slots, rank, root } = env
    if (peer === rank) return counts
    if (buffer !== SHARED && (slots ? buffer !== SLOT : buffer !== IN && buffer !== OUT)) {
      const how = slots ? 'true' : 'false'
      this.#refuse(op, `reaches for ${nameOf(buffer)} of rank ${peer} where env.slots is ${how}`)
    }
    if (peer === root)
      return (this.#countsOfRoot ??= blockCounts(algorithm, { ...env, rank: root }))
    return (this.#countsOfOthers ??= blockCounts(algorithm, { ...env, rank: peer }))
  }

  #refuse(op: number, why: string): never {
    throw new OutOfBounds(`\`${OP_NAMES[op]}\` of rank ${this.#schedule.env.rank} ${why}`)
  }
}

function nameOf(buffer: number): string {
  return BUFFER_NAMES[buffer]?.toUpperCase() ?? `buffer ${buffer}`
}
