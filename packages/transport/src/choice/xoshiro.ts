// xoshiro128** 1.1 of D. Blackman and S. Vigna (ACM TOMS 47, 2021) on four words of state, seeded
// by splitmix32 as its authors advise.

/** Writes the generator's first state for a seed from 0 to 2^53 - 1. */
export function seedGenerator(words: Int32Array, seed: number): void {
  let state = (seed | 0) ^ Math.imul((seed / 2 ** 32) | 0, 0x85ebca6b)
  for (let i = 0; i < 4; i++) {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    words[i] = mixed ^ (mixed >>> 15)
  }
  // Four zeros are the one state that the generator never leaves.
  if ((words[0]! | words[1]! | words[2]! | words[3]!) === 0) words[0] = 1
}

/** The next 32 bits, unsigned. */
export function drawWord(words: Int32Array): number {
  const second = words[1]!
  const result = Math.imul(rotateLeft(Math.imul(second, 5), 7), 9)
  words[2]! ^= words[0]!
  words[3]! ^= second
  words[1]! ^= words[2]!
  words[0]! ^= words[3]!
  words[2]! ^= second << 9
  words[3] = rotateLeft(words[3]!, 11)
  return result >>> 0
}

/** A number from 0 to `bound` - 1, each equally likely; `bound` from 2 to 2^32. */
export function drawBelow(words: Int32Array, bound: number): number {
  // As many top bits as the largest value has; a draw beyond it is repeated (less than once).
  const shift = Math.clz32(bound - 1)
  let drawn = drawWord(words) >>> shift
  while (drawn >= bound) drawn = drawWord(words) >>> shift
  return drawn
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}
