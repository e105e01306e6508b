// The random numbers of the NAS Parallel Benchmarks: x becomes 5^13 x mod 2^46, and x / 2^46 is the
// number. Everybody must get the same ones, so the arithmetic is exact, although a product of two
// such integers has 92 bits and a double only 53: they are multiplied as on paper, in base 2^23.

const base = 2 ** 23

/** The integer `high * base + low`, with digits below the base. */
type TwoDigits = { high: number; low: number }

const multiplier: TwoDigits = { high: Math.floor(5 ** 13 / base), low: 5 ** 13 % base }

export class RandomNumbers {
  #high: number
  #low: number

  /** The sequence of `seed` without its first `skip` numbers, which costs log2(skip) steps. */
  constructor(seed: number, skip = 0) {
    const start = { high: Math.floor(seed / base), low: seed % base }
    const { high, low } = product(power(multiplier, skip), start)
    this.#high = high
    this.#low = low
  }

  /** Between 0 and 1. */
  next(): number {
    const high = upperDigit(multiplier.high, multiplier.low, this.#high, this.#low)
    this.#low = lowerDigit(multiplier.low, this.#low)
    this.#high = high
    return (high * base + this.#low) / base / base
  }

  nextInto(target: Float64Array): void {
    for (let index = 0; index < target.length; index++) target[index] = this.next()
  }
}

/** Modulo base², so that the product of the upper digits is none of our concern. */
function product(a: TwoDigits, b: TwoDigits): TwoDigits {
  return { high: upperDigit(a.high, a.low, b.high, b.low), low: lowerDigit(a.low, b.low) }
}

/** `imul` keeps the lower 32 bits of a product, of which a digit is 23. */
function lowerDigit(aLow: number, bLow: number): number {
  return Math.imul(aLow, bLow) & (base - 1)
}

function upperDigit(aHigh: number, aLow: number, bHigh: number, bLow: number): number {
  // Of this product the upper digit is needed. It has 46 bits, which a double holds.
  const carry = ((aLow * bLow) / base) | 0
  return (Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh) + carry) & (base - 1)
}

/** By squaring. */
function power(a: TwoDigits, exponent: number): TwoDigits {
  let result: TwoDigits = { high: 0, low: 1 }
  let square = a
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = product(result, square)
    square = product(square, square)
  }
  return result
}
