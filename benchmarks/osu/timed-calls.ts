/** How a collective is timed: the call alone, a barrier after each; twin of `../native/timed-calls.h`. */
import { MAX, type Mpi } from '@commworld/mpi'

/** Seconds that `iterations` calls take on this rank. */
export function timeCalls(
  { world, wtime }: Mpi,
  call: () => unknown,
  { iterations, barriers }: { iterations: number; barriers: boolean },
): number {
  let seconds = 0
  for (let i = 0; i < iterations; i++) {
    const start = wtime()
    call()
    seconds += wtime() - start
    if (barriers) world.barrier()
  }
  return seconds
}

export interface Extent {
  readonly warmup: number
  readonly iterations: number
  readonly barriers: boolean
  /** About how long all of it may take. */
  readonly budgetSeconds: number
  /** Nothing is compiled yet: takes longer, whatever the budget. */
  readonly isFirst: boolean
}

const COMPILE_SECONDS = 0.4
const FEWEST = 5

/**
 * Warms up, in batches that double, for at most a quarter of the budget; returns how many
 * iterations fit into the rest, at least `FEWEST`. Every rank comes to the same count.
 */
export function warmUp(mpi: Mpi, call: () => unknown, extent: Extent): number {
  const { warmup, iterations, barriers, budgetSeconds, isFirst } = extent
  const { world, wtime } = mpi
  if (budgetSeconds === Infinity) {
    timeCalls(mpi, call, { iterations: warmup, barriers })
    return iterations
  }
  const warmupSeconds = Math.max(budgetSeconds / 4, isFirst ? COMPILE_SECONDS : 0)
  const begin = wtime()
  let done = 0
  for (let batch = 1; ; batch = Math.min(2 * batch, warmup - done)) {
    const start = wtime()
    timeCalls(mpi, call, { iterations: batch, barriers })
    done += batch
    const perCall = world.allreduce((wtime() - start) / batch, MAX)
    const elapsed = world.allreduce(wtime() - begin, MAX)
    if (done < warmup && elapsed < warmupSeconds) continue
    const fitting = Math.floor((budgetSeconds * 0.75) / perCall)
    return Math.max(FEWEST, Math.min(iterations, fitting))
  }
}
