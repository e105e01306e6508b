/** `CONFORMANCE=10` makes ten times as many runs as a test does by default. */
const factor = Number(process.env['CONFORMANCE'] ?? 1)

/** How often fast-check looks; with `CONFORMANCE_RAW` set it shows what it finds without shrinking it. */
export function runs(byDefault: number): { numRuns: number; endOnFailure: boolean } {
  const numRuns = Math.max(1, Math.round(byDefault * factor))
  return { numRuns, endOnFailure: process.env['CONFORMANCE_RAW'] !== undefined }
}

/** Ranks that dawdle wait for turns of the event loop, which no schedule decides: runs are not repeated. */
export const NO_REPEATS = { repeatEvery: 0 } as const

/** Longer with more runs. */
export const TIMEOUT_MS = 60_000 * Math.max(1, factor)
