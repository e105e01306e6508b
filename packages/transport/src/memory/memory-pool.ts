import { roundedToPages, WorldMemory } from './world-memory.js'

/** Limits of a {@link MemoryPool}. */
export interface MemoryPoolOptions {
  /** Number of memories kept at most; default 4. */
  readonly capacity?: number
  /** A memory of which more than this was ever in use is dropped, not cleared; default 64 MiB. */
  readonly highWaterBytes?: number
}

/**
 * Keeps the memories of ended worlds for the next ones: taking a cleared memory costs less than
 * creating one. Belongs to one thread; memories go back only when no other thread uses them (a
 * world whose threads were terminated is never reused).
 *
 * @example
 * const pool = new MemoryPool()
 * const memory = pool.acquire(16 * 2 ** 20)
 * try { ... } finally { pool.release(memory) }
 */
export class MemoryPool {
  readonly #capacity: number
  readonly #highWaterBytes: number
  readonly #idle: WorldMemory[] = []

  constructor({ capacity = 4, highWaterBytes = 64 * 2 ** 20 }: MemoryPoolOptions = {}) {
    this.#capacity = capacity
    this.#highWaterBytes = highWaterBytes
  }

  /**
   * A memory of at least `bytes` bytes in the state after `WorldMemory.create`. One that is kept
   * is taken only when it has the size exactly, so that limits of a world do not depend on others.
   *
   * @throws {MemoryUnavailable} as `WorldMemory.create`.
   */
  acquire(bytes: number): WorldMemory {
    const byteLength = roundedToPages(bytes)
    const index = this.#idle.findLastIndex((memory) => memory.byteLength === byteLength)
    if (index < 0) return WorldMemory.create({ bytes })
    return this.#idle.splice(index, 1)[0]!.renewed()
  }

  /** Clears a memory and keeps it; drops it when too much of it was in use, or the oldest kept. */
  release(memory: WorldMemory): void {
    if (this.#idle.includes(memory)) throw new Error('this memory was released before')
    if (memory.heap.highWaterAddress > this.#highWaterBytes) return
    memory.reset()
    this.#idle.push(memory)
    if (this.#idle.length > this.#capacity) this.#idle.shift()
  }

  /** Number of memories kept. */
  get idleCount(): number {
    return this.#idle.length
  }

  /** Drops all memories. */
  clear(): void {
    this.#idle.length = 0
  }
}
