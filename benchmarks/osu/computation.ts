/** Work of a known length that keeps a rank busy: a chain of multiplications, each waiting for the last. */
import type { Mpi } from '@commworld/mpi'

const STEPS = 20_000
const TRIES = 50

export function compute(steps: number): number {
  let x = 1
  for (let i = 0; i < steps; i++) x = x * 0.999_999 + 1e-6
  return x
}

/** Seconds a step, the best of many tries: others may have had the core in between. */
export function calibrate(wtime: Mpi['wtime']): number {
  let seconds = Infinity
  for (let i = 0; i < TRIES; i++) {
    const start = wtime()
    const result = compute(STEPS)
    seconds = Math.min(seconds, wtime() - start)
    if (!Number.isFinite(result)) throw new Error('the computation went astray')
  }
  return seconds / STEPS
}
