// What is sorted, and what can be said about keys; nothing about ranks in it.

/** Keys `first` to before `end` of one long list: the same ones, whoever makes them. */
export function fillKeys(keys: Float64Array, first: number): void {
  for (let index = 0; index < keys.length; index++) {
    // Three throws are a bell: many keys lie in the middle, few at the ends.
    let sum = 0
    for (let thrown = 0; thrown < 3; thrown++) sum += mix(3 * (first + index) + thrown)
    keys[index] = sum / (3 * 2 ** 32)
  }
}

/** A number that depends on the keys and not on their order. */
export function fingerprintOf(keys: Float64Array): number {
  const halves = new Uint32Array(2)
  const key = new Float64Array(halves.buffer)
  let sum = 0
  for (key[0] of keys) sum = (sum + mix(halves[0] ^ mix(halves[1]))) % 2 ** 32
  return sum
}

/** How many of the keys lie in each of `bins` equal parts of the numbers from 0 to 1. */
export function histogramOf(keys: Float64Array, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0)
  for (const key of keys) counts[Math.min(bins - 1, Math.floor(key * bins))]++
  return counts
}

/** Index of the first of the sorted keys that is not below `limit`. */
export function firstNotBelow(sorted: Float64Array, limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle] < limit) low = middle + 1
    else high = middle
  }
  return low
}

export function isSorted(keys: Float64Array): boolean {
  return keys.every((key, index) => index === 0 || keys[index - 1] <= key)
}

/** Stirs the bits of an integer: one that looks as if it were drawn by lot, from 0 to 2 ** 32 - 1. */
function mix(integer: number): number {
  let bits = Math.imul(integer ^ (integer >>> 16) ^ 0x2c1b3c6d, 0x7feb352d)
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b)
  return (bits ^ (bits >>> 16)) >>> 0
}
