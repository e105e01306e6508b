import type { Algorithm, Environment } from '../plan/algorithm.js'
import { IN, OUT, SLOT, TMP, BUFFER_NAMES } from '../plan/buffer.js'
import { aliasOf, Schedule, type Alias, type Page } from '../plan/schedule.js'
import type { AbstractValue } from './abstract-value.js'
import type { Specification } from './specification.js'
import { Broken } from './violation.js'

/** One rank of a simulated run: where it is in its schedule and what its buffers hold. */
export class SimulatedRank {
  readonly rank: number
  readonly schedule: Schedule
  page: Page
  pageNumber = 0
  /** Operation that comes next, in its page. */
  next = 0
  /** For each buffer the blocks that an operation under way reads (count) or writes (-1). */
  readonly busy: Int32Array[]
  /** Operations under way. */
  open = 0
  /** Signals that are waited for. */
  awaited = 0
  blocksSent = 0
  /** For each buffer how long the longest chain of messages is that led to what a block holds. */
  readonly depths: Int32Array[]
  /** The same for what the rank was signalled, and for what it had been when its last operation began. */
  signalled = 0
  begunAt = 0
  readonly #buffers: (AbstractValue | undefined)[][]
  readonly #alias: Alias | undefined

  constructor(
    algorithm: Algorithm,
    env: Environment,
    specification: Specification,
    inPlace: boolean,
  ) {
    this.rank = env.rank
    this.schedule = new Schedule(algorithm, env, inPlace)
    this.page =
      this.schedule.pages === 0 ? { words: new Int32Array(0), length: 0 } : this.schedule.page(0)
    const { counts } = this.schedule
    this.#buffers = [IN, OUT, TMP, SLOT].map((buffer) =>
      Array.from({ length: counts[buffer]! }, (_, block) =>
        specification.initial(buffer, env.rank, block),
      ),
    )
    this.busy = [IN, OUT, TMP, SLOT].map((buffer) => new Int32Array(counts[buffer]!))
    this.depths = this.busy.map((blocks) => new Int32Array(blocks.length))
    this.#alias = inPlace ? aliasOf(algorithm.collective, env) : undefined
    if (this.#alias?.part === IN) {
      for (let block = 0; block < counts[IN]!; block++) {
        const value = specification.initial(IN, env.rank, block)
        this.#buffers[OUT]![this.#alias.first + block] = value
      }
    }
  }

  get deepest(): number {
    let deepest = this.signalled
    for (const depths of this.depths) for (const depth of depths) deepest = Math.max(deepest, depth)
    return deepest
  }

  /** The round of the operation that comes next. */
  get round(): number {
    const { ends } = this.page
    return ends === undefined ? this.pageNumber : ends.findIndex((end) => this.next < end)
  }

  get done(): boolean {
    return this.next >= this.page.length && this.pageNumber + 1 >= this.schedule.pages
  }

  turnPage(): boolean {
    if (this.next < this.page.length || this.pageNumber + 1 >= this.schedule.pages) return false
    this.page = this.schedule.page(++this.pageNumber)
    this.next = 0
    return true
  }

  blocksOf(buffer: number): number {
    return this.#buffers[buffer]!.length
  }

  /** Where a block lies: in place the input is a part of the output, and of a scatter it is reversed. */
  bufferOf(buffer: number): number {
    return buffer === this.#alias?.part ? this.#alias.of : buffer
  }

  /** Which block of that buffer it is. */
  blockIn(buffer: number, block: number): number {
    return buffer === this.#alias?.part ? this.#alias.first + block : block
  }

  value(buffer: number, block: number): AbstractValue | undefined {
    return this.#buffers[this.bufferOf(buffer)]![this.blockIn(buffer, block)]
  }

  /** What is there, if anything is. */
  peek(buffer: number, block: number): AbstractValue | undefined {
    return block >= 0 && block < this.blocksOf(buffer) ? this.value(buffer, block) : undefined
  }

  /** Precondition: the block exists. */
  read(buffer: number, block: number): AbstractValue {
    this.#checkRange(buffer, block)
    const value = this.value(buffer, block)
    if (value === undefined) {
      const what = `block ${block} of ${BUFFER_NAMES[buffer]}`
      throw new Broken(
        'nothing there',
        this.rank,
        `rank ${this.rank} reads ${what}, where nothing was put yet`,
      )
    }
    return value
  }

  write(buffer: number, block: number, value: AbstractValue): void {
    this.#checkRange(buffer, block)
    if (this.bufferOf(buffer) === IN) {
      throw new Broken(
        'input written',
        this.rank,
        `rank ${this.rank} writes block ${block} of its input`,
      )
    }
    this.#buffers[this.bufferOf(buffer)]![this.blockIn(buffer, block)] = value
  }

  #checkRange(buffer: number, block: number): void {
    const blocks = this.blocksOf(buffer)
    if (block >= 0 && block < blocks) return
    throw new Broken(
      'out of range',
      this.rank,
      `block ${block} of rank ${this.rank} is used, but its ${BUFFER_NAMES[buffer]} has ${blocks}`,
    )
  }
}
