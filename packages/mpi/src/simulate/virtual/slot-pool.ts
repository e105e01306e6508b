import type { WorldMemory } from '@commworld/transport'

/** Room for messages under way. */
export interface Slots {
  take(bytes: number): number
  give(address: number, bytes: number): void
}

const SMALLEST_BITS = 6

/** Room in the world's memory for messages under way, in sizes that double. */
export class SlotPool implements Slots {
  readonly #memory: WorldMemory
  readonly #free: number[][] = []

  constructor(memory: WorldMemory) {
    this.#memory = memory
  }

  take(bytes: number): number {
    const size = sizeOf(bytes)
    const free = (this.#free[size] ??= [])
    return free.pop() ?? this.#memory.heap.allocate(2 ** size, 2 ** SMALLEST_BITS)
  }

  give(address: number, bytes: number): void {
    this.#free[sizeOf(bytes)]!.push(address)
  }
}

function sizeOf(bytes: number): number {
  return bytes <= 2 ** SMALLEST_BITS ? SMALLEST_BITS : 32 - Math.clz32(bytes - 1)
}
