import {
  choiceSource,
  createHcaTable,
  startChoices,
  type SharedWorldMemory,
  WORLD_RANK_COUNT_WORD,
  WorldMemory,
} from '@commworld/transport'
import { choiceState } from '../../device/choice-state.js'
import { endpointSettings } from '../../device/settings.js'
import { Monitor } from './monitor.js'
import { createMpiRoot } from './mpi-root.js'
import { defaultMemoryBytes, type WorldOptions } from './world-options.js'

/** What a rank's thread needs to attach; structured-cloneable. */
export interface WorldDescriptor {
  readonly shared: SharedWorldMemory
  readonly options: WorldOptions
}

/**
 * A set of ranks on one memory. Made by whoever starts the ranks, who also watches them.
 *
 * @example
 * const world = World.create({ ranks: 4, memoryBytes: 2 ** 32, mode: 'parallel' })
 * new Worker(entry, { workerData: { descriptor: world.descriptor, rank: 0 } })
 */
export class World {
  readonly memory: WorldMemory
  readonly descriptor: WorldDescriptor
  readonly monitor: Monitor

  private constructor(memory: WorldMemory, options: WorldOptions) {
    this.memory = memory
    this.descriptor = { shared: memory.shared, options }
    this.monitor = new Monitor(memory, options.ranks)
  }

  /** @throws MemoryUnavailable, OutOfMemory */
  static create(options: WorldOptions): World {
    const bytes = options.memoryBytes ?? defaultMemoryBytes(options.mode, options.ranks)
    return World.on(WorldMemory.create({ bytes }), options)
  }

  /** A world on a memory that is new, or was reset. */
  static on(memory: WorldMemory, options: WorldOptions): World {
    layOutWorld(memory, options)
    if (options.mode !== 'parallel') startChoices(choiceSource(options), choiceState(memory))
    return new World(memory, options)
  }
}

/** Makes what ranks share, on a memory that is new, or was reset. */
export function layOutWorld(memory: WorldMemory, options: WorldOptions): void {
  const { ranks, mode } = options
  memory.i32[WORLD_RANK_COUNT_WORD >> 2] = ranks
  createHcaTable(memory, ranks)
  const { slotBytes } = endpointSettings(options)
  // Ranks that share a thread never sleep, and tell themselves what they wait for.
  createMpiRoot(memory, ranks, { slotBytes, records: mode !== 'coroutine' })
}
