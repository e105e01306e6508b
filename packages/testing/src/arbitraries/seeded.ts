/**
 * A whole number from 0 to 2^32 - 1 that follows from some numbers and looks like chance.
 * @example
 * scrambled(1, 2) === scrambled(1, 2) // true
 */
export function scrambled(...numbers: readonly number[]): number {
  let state = 0x9e3779b9
  for (const number of numbers) {
    state = Math.imul(state ^ number, 0x85ebca6b)
    state ^= state >>> 13
    state = Math.imul(state, 0xc2b2ae35)
    state ^= state >>> 16
  }
  return state >>> 0
}

/**
 * Numbers below a bound, one after the other, that follow from a seed.
 * @example
 * drawing(7)(6) < 6 // true
 */
export function drawing(seed: number): (bound: number) => number {
  let drawn = 0
  return (bound) => scrambled(seed, drawn++) % bound
}
