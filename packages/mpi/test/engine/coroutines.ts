import { MemoryPool } from '@commworld/transport'
import { createMpi, type Mpi } from '../../src/api/mpi.js'
import type { Counters } from '../../src/device/counters.js'
import { CoroutineWorld, type CoroutineOutcome } from '../../src/engine/world/coroutine-world.js'
import type { WorldOptions } from '../../src/engine/world/world-options.js'

const memories = new MemoryPool()
const MEMORY_BYTES = 64 * 2 ** 20

/** A world of coroutines that has ended, as the engine sees it. */
export interface Ended {
  readonly outcome: CoroutineOutcome
  readonly replay: string
  /** By rank. */
  readonly counters: readonly Counters[]
}

/** Runs a program below the launcher, where choices and counters can be seen. */
export async function runWorld(
  ranks: number,
  main: (mpi: Mpi) => unknown,
  options: Omit<Partial<WorldOptions>, 'ranks'> = {},
): Promise<Ended> {
  const memory = memories.acquire(options.memoryBytes ?? MEMORY_BYTES)
  const counters: Counters[] = []
  const world = new CoroutineWorld(memory, { ...options, ranks, mode: 'coroutine' }, (runtime) => {
    counters[runtime.rank.rank] = runtime.rank.endpoint.counters
    return main(createMpi(runtime, { args: [], appNumber: 0 }))
  })
  const outcome = await world.run()
  if (outcome.kind === 'finished') memories.release(memory)
  return { outcome, replay: world.replay, counters }
}

/** What the ranks returned. Throws when the world did not finish. */
export function valuesOf<T>({ outcome }: Ended): readonly T[] {
  if (outcome.kind === 'finished') return outcome.values as readonly T[]
  throw outcome.kind === 'failed' ? outcome.error : new Error(`the world ended: ${outcome.kind}`)
}
