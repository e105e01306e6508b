import { RandomNumbers } from '../random.js'
import type { Share } from '../problem.js'

const seed = 314159265
export const iterations = 10

/** A share of the keys: each the mean of four random numbers, so that the middle ones are frequent. */
export function keysOf({ first, count }: Share, keyRange: number): Int32Array {
  const random = new RandomNumbers(seed, 4 * first)
  return new Int32Array(count).map(() => {
    const sum = random.next() + random.next() + random.next() + random.next()
    return Math.floor((keyRange / 4) * sum)
  })
}

/** Puts a small key and a large one in place of two others, so that no iteration repeats another. */
export function replaceTwo(keys: Int32Array, share: Share, keyRange: number, iteration: number) {
  put(keys, share, iteration, iteration)
  put(keys, share, iteration + iterations, keyRange - iteration)
}

function put(keys: Int32Array, { first, end }: Share, index: number, key: number) {
  if (index >= first && index < end) keys[index - first] = key
}

/** Keys from `lowest` to before `end`, whatever rank they came from; `smaller` others come first. */
export type KeyRange = { lowest: number; end: number; keys: Int32Array; smaller: number }

/** Element k of the result is the rank of key `lowest + k`: how many keys are smaller. */
export function ranksIn({ lowest, end, keys, smaller }: KeyRange): Int32Array {
  const ranks = new Int32Array(end - lowest)
  for (let index = 0; index < keys.length; index++) ranks[keys[index] - lowest]++
  let before = smaller
  for (let index = 0; index < ranks.length; index++) {
    const count = ranks[index]
    ranks[index] = before
    before += count
  }
  return ranks
}

/** Puts every key where its rank says. Equal keys follow each other. */
export function sorted({ lowest, keys, smaller }: KeyRange, ranks: Int32Array): Int32Array {
  const next = ranks.slice()
  const result = new Int32Array(keys.length)
  for (const key of keys) result[next[key - lowest]++ - smaller] = key
  return result
}
