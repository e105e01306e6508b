// Virtual time: whole picoseconds in a double, exact up to 2^53 ps, which is two and a half hours.

export const PS_PER_NS = 1000
export const PS_PER_US = 1_000_000
export const PS_PER_S = 1e12

/** Nanoseconds as whole picoseconds. */
export function picoseconds(ns: number): number {
  return Math.round(ns * PS_PER_NS)
}

/** A duration with a unit that fits: `840 ns`, `9.25 us`, `1.2 ms`. */
export function formatDuration(ps: number): string {
  for (const [unit, size] of UNITS) {
    if (Math.abs(ps) >= size) return `${significant(ps / size)} ${unit}`
  }
  return `${ps} ps`
}

const UNITS = [
  ['s', PS_PER_S],
  ['ms', 1e9],
  ['us', PS_PER_US],
  ['ns', PS_PER_NS],
] as const

function significant(value: number): string {
  const digits = value >= 100 ? 1 : value >= 10 ? 2 : 3
  return String(Number(value.toFixed(digits)))
}
