import { ArgumentError, DimsError } from '../errors/index.js'
import { checkList } from './check-list.js'

/** Numbers of ranks are C ints in the standard. Up to here the search takes milliseconds. */
const SIZE_MAX = 2 ** 31 - 1

/**
 * Sizes for a grid of `size` ranks, as close to each other as can be.
 *
 * Zeros in `dims` are filled in, from the largest to the smallest; other entries are kept and may
 * cut the grid as they like. Of all ways to do so the one is taken whose largest and smallest
 * filled-in entries differ least, and of several such ways the one with the smallest first entry
 * (then second, and so on).
 *
 * @param size - number of ranks in the grid, 1 to 2^31 - 1
 * @param dims - one entry for each dimension: 0 to have it filled in, or the number of ranks there
 * @returns a new list, as long as `dims`, whose product is `size`
 * @throws DimsError when an entry is negative or no integer, or when the entries that are not 0 do not
 * divide `size` (or, if none is 0, do not multiply to it)
 * @throws ArgumentError when `size` is no such integer, or `dims` no array
 * @example
 * createDims(12, [0, 0]) // [4, 3]
 * createDims(12, [0, 2, 0]) // [3, 2, 2]
 * createDims(7, [0, 0]) // [7, 1]
 * createDims(1, []) // []
 *
 * MPI 4.1, section 8.5.2 (MPI_Dims_create).
 */
export function createDims(size: number, dims: readonly number[]): number[] {
  if (!Number.isInteger(size) || size < 1 || size > SIZE_MAX) {
    const expected = `an integer from 1 to ${SIZE_MAX}`
    throw new ArgumentError({ argument: 'size', seen: size, expected })
  }
  checkList('dims', dims, 'a list of the numbers of ranks along each dimension, 0 for any')
  const free = dims.filter((extent) => extent === 0).length
  const filled = balanced(restFor(size, dims), free).values()
  return dims.map((extent) => (extent === 0 ? filled.next().value! : extent))
}

/** What the entries that are not 0 leave for the others. */
function restFor(size: number, dims: readonly number[]): number {
  let rest = size
  let free = false
  for (const [dimension, seen] of dims.entries()) {
    if (!Number.isSafeInteger(seen) || seen < 0) {
      const expected = '0 (to be filled in) or a positive integer'
      throw new DimsError({ argument: `dims[${dimension}]`, seen, expected })
    }
    free ||= seen === 0
    // Once they do not divide it, it stays no number.
    if (seen !== 0) rest = rest % seen === 0 ? rest / seen : Number.NaN
  }
  if (rest === 1 || (free && rest > 1)) return rest
  const expected = free ? `a list whose product divides ${size}` : `a list whose product is ${size}`
  throw new DimsError({ argument: 'dims', seen: dims, expected })
}

/** `count` factors of `product`, largest first, as close to each other as can be. */
function balanced(product: number, count: number): number[] {
  const primes = primeFactors(product)
  if (count === 1) return [product]
  // With a place for each, putting two of them together would only spread them more.
  const spare = count - primes.length
  if (spare >= 0) return [...primes, ...new Array<number>(spare).fill(1)]
  return closest(product, count, divisors(primes))
}

/**
 * Goes through the factors from the smallest first entry up, which is lexicographic order, and
 * keeps what is better than all before. Two bounds leave little to go through: an entry is large
 * enough for smaller ones to make up the rest, and leaves enough for a last one that makes the
 * list better than the best.
 */
function closest(product: number, count: number, divisorsUp: readonly number[]): number[] {
  let best: readonly number[] = []
  let spread = product
  const entries: number[] = []

  function fill(rest: number): void {
    const left = count - entries.length
    const most = Math.min(entries.at(-1) ?? rest, rest)
    for (const entry of divisorsUp) {
      if (entry > most) return
      // Too small, when even equal entries make less than the rest.
      if (rest % entry !== 0 || power(entry, left) < rest) continue
      const leastLast = Math.max((entries[0] ?? entry) - spread + 1, 1)
      // Too large, when the entries after it would be too small.
      if (power(leastLast, left - 1) > rest / entry) return
      entries.push(entry)
      if (left > 1) fill(rest / entry)
      else keep(entry)
      entries.pop()
    }
  }

  function keep(last: number): void {
    if (entries[0]! - last >= spread) return
    spread = entries[0]! - last
    best = [...entries]
  }

  fill(product)
  return [...best]
}

/** Largest first. */
function primeFactors(product: number): number[] {
  const primes: number[] = []
  let rest = product
  for (let factor = 2; factor * factor <= rest; factor += factor === 2 ? 1 : 2) {
    while (rest % factor === 0) {
      primes.push(factor)
      rest /= factor
    }
  }
  if (rest > 1) primes.push(rest)
  return primes.reverse()
}

/** All divisors of the product of these primes, smallest first. */
function divisors(primes: readonly number[]): number[] {
  const found = new Set([1])
  for (const prime of primes) for (const divisor of [...found]) found.add(divisor * prime)
  return [...found].sort((a, b) => a - b)
}

/** Exact up to 2^53, and more than any number of ranks beyond. */
function power(base: number, exponent: number): number {
  let result = 1
  for (let i = 0; i < exponent; i++) result *= base
  return result
}
