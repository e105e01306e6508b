// What is to be learnt: two spirals that are wound into each other.

export type Point = { x: number; y: number }

export const pointCount = 160

/** Points of the two spirals take turns, from the middle outwards. */
export function pointOf(index: number): Point & { label: 0 | 1 } {
  const label = index % 2 === 0 ? 0 : 1
  const distance = 0.15 + (0.8 * index) / pointCount
  const turns = 1.75 * distance + label / 2 + 0.02 * (lotOf(index) - 0.5)
  return {
    x: distance * Math.cos(2 * Math.PI * turns),
    y: distance * Math.sin(2 * Math.PI * turns),
    label,
  }
}

/** A number from 0 to 1 as if drawn by lot; the same one for everybody who asks. */
export function lotOf(index: number): number {
  const bits = Math.imul((index + 1) ^ 0x5bd1e995, 0x9e3779b1)
  return (Math.imul(bits ^ (bits >>> 15), 0x85ebca77) >>> 0) / 2 ** 32
}
