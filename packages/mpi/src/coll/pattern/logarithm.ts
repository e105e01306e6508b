/** Smallest q with radix^q >= n, in whole numbers: floating-point logarithms are off by one. */
export function ceilLog(n: number, radix: number): number {
  let exponent = 0
  for (let power = 1; power < n; power *= radix) exponent++
  return exponent
}

/** Largest q with radix^q <= n. */
export function floorLog(n: number, radix: number): number {
  let exponent = 0
  for (let power = radix; power <= n; power *= radix) exponent++
  return exponent
}
