import { drawBelow, seedGenerator } from '../../../src/choice/xoshiro.js'

/** Numbers below a bound, from a seed. */
export function randomBelow(seed: number): (bound: number) => number {
  const words = new Int32Array(4)
  seedGenerator(words, seed)
  return (bound) => (bound < 2 ? 0 : drawBelow(words, bound))
}

/** 0 to n - 1 in random order. */
export function shuffled(n: number, below: (bound: number) => number): number[] {
  const list = Array.from({ length: n }, (_, i) => i)
  for (let i = n - 1; i > 0; i--) {
    const j = below(i + 1)
    ;[list[i], list[j]] = [list[j]!, list[i]!]
  }
  return list
}
