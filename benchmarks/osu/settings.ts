/** OSU's message sizes, counts and command line, equal in the native twins (`../native/osu.h`). */
import { parseArgs } from 'node:util'

/** Timed and warm-up iterations, for messages up to 8 KiB and above. */
export interface Counts {
  readonly small: number
  readonly smallWarmup: number
  readonly large: number
  readonly largeWarmup: number
}
export const LATENCY_COUNTS: Counts = {
  small: 10_000,
  smallWarmup: 100,
  large: 1_000,
  largeWarmup: 10,
}
export const BANDWIDTH_COUNTS: Counts = { small: 100, smallWarmup: 10, large: 20, largeWarmup: 2 }
export const COLLECTIVE_COUNTS: Counts = {
  small: 1_000,
  smallWarmup: 200,
  large: 100,
  largeWarmup: 10,
}

const LARGE_BYTES = 8_192
const LARGEST_BYTES = 4 * 1_024 * 1_024

export interface Settings {
  /** Message sizes in bytes, ascending. */
  readonly sizes: readonly number[]
  /** Bytes of a buffer that holds each of them, at least one. */
  readonly maxBytes: number
  iterations(bytes: number): number
  warmup(bytes: number): number
}

/**
 * Reads `-m MIN:MAX` (message bytes: 0 and powers of two, 0:4194304 by default), `-i COUNT` and
 * `-x COUNT` (timed and warm-up iterations of every size, those of the benchmark by default).
 */
export function readSettings(args: readonly string[], counts: Counts): Settings {
  const { values } = parseArgs({ args: [...args], options: SETTINGS_OPTIONS })
  return settingsOf(values, counts)
}

/** For programs that parse options of their own beside these. */
export const SETTINGS_OPTIONS = {
  m: { type: 'string', short: 'm' },
  i: { type: 'string', short: 'i' },
  x: { type: 'string', short: 'x' },
} as const

export type SettingsValues = { readonly [K in keyof typeof SETTINGS_OPTIONS]?: string | undefined }

export function settingsOf(values: SettingsValues, counts: Counts): Settings {
  const sizes = values.m ?? `0:${LARGEST_BYTES}`
  const [minBytes, maxBytes] = sizes.split(':').map(Number) as [number, number]
  return {
    sizes: sizesBetween(minBytes, maxBytes),
    maxBytes: Math.max(maxBytes, 1),
    iterations: (bytes) => Number(values.i ?? (bytes > LARGE_BYTES ? counts.large : counts.small)),
    warmup: (bytes) =>
      Number(values.x ?? (bytes > LARGE_BYTES ? counts.largeWarmup : counts.smallWarmup)),
  }
}

function sizesBetween(minBytes: number, maxBytes: number): number[] {
  const sizes = minBytes === 0 ? [0] : []
  for (let bytes = 1; bytes <= maxBytes; bytes *= 2) if (bytes >= minBytes) sizes.push(bytes)
  return sizes
}
