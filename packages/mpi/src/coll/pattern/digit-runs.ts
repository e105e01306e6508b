import type { Range } from './halving.js'

/**
 * Of the numbers 0 to n - 1, written with a radix, those with one digit at the place that is worth
 * `step`, as runs.
 *
 * ```
 *   n = 7, step = 2, radix 2, digit 1     2 3  6
 * ```
 */
export function digitRuns(n: number, step: number, radix: number, digit: number): Range[] {
  const runs: Range[] = []
  for (let first = digit * step; first < n; first += radix * step) {
    runs.push({ first, count: Math.min(step, n - first) })
  }
  return runs
}

/** How many they are. */
export function digitCount(n: number, step: number, radix: number, digit: number): number {
  const period = radix * step
  const rest = (n % period) - digit * step
  return Math.floor(n / period) * step + Math.min(Math.max(rest, 0), step)
}
