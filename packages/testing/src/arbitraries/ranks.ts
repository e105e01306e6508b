import fc from 'fast-check'

const DEFAULT_MAX = 9

/**
 * Numbers of ranks: 1, 2, 3, powers of two and their neighbours, primes, and all others now and then.
 * Shrinks toward 1, then 2.
 *
 * @example
 * fc.assert(fc.property(ranks({ max: 64 }), (size) => size <= 64))
 */
export function ranks({
  min = 1,
  max = DEFAULT_MAX,
}: { min?: number; max?: number } = {}): fc.Arbitrary<number> {
  if (!(Number.isInteger(min) && Number.isInteger(max) && min >= 1 && max >= min)) {
    throw new RangeError(`numbers of ranks go from 1 on, not from ${min} to ${max}`)
  }
  const any = fc.integer({ min, max })
  const special = specialSizes(max).filter((size) => size >= min)
  if (special.length === 0) return any
  const place = fc.integer({ min: 0, max: special.length - 1 })
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: any },
    { weight: 2, arbitrary: place.map((at) => special[at]!) },
  )
}

/**
 * A rank of a world, mostly 0, the last or the middle one; shrinks toward 0.
 * @example
 * fc.assert(fc.property(rootOf(4), (root) => root < 4))
 */
export function rootOf(size: number): fc.Arbitrary<number> {
  const all = fc.nat(size - 1)
  const last = fc.constantFrom(0, size - 1, Math.floor(size / 2))
  return fc.oneof({ withCrossShrink: true }, all, last)
}

/** In ascending order. */
function specialSizes(max: number): number[] {
  const sizes = new Set([1, 2, 3])
  for (let power = 2; power <= 2 * max; power *= 2) {
    for (const size of [power - 1, power, power + 1]) sizes.add(size)
  }
  for (let size = 5; size <= Math.min(max, 400); size++) if (isPrime(size)) sizes.add(size)
  return [...sizes].filter((size) => size <= max).sort((a, b) => a - b)
}

function isPrime(size: number): boolean {
  for (let factor = 2; factor * factor <= size; factor++) if (size % factor === 0) return false
  return size > 1
}
