/**
 * Whether two numbers have the same bits: NaN equals NaN, and 0 is not -0.
 * @example
 * sameBits(0, -0) // false
 */
export function sameBits(a: number, b: number): boolean {
  return Object.is(a, b)
}

/**
 * Ranks must hold the same bits; what differs, in words.
 * @example
 * bitsFault([0, -0]) // 'ranks 0 and 1 hold different bits'
 */
export function bitsFault(results: readonly (number | ArrayLike<number>)[]): string | undefined {
  const [first] = results
  for (const [rank, result] of results.entries()) {
    const place = differing(first!, result)
    if (place === undefined) continue
    return `ranks 0 and ${rank} hold different bits${place < 0 ? '' : ` in element ${place}`}`
  }
  return undefined
}

function differing(
  a: number | ArrayLike<number>,
  b: number | ArrayLike<number>,
): number | undefined {
  if (typeof a === 'number' || typeof b === 'number') return Object.is(a, b) ? undefined : -1
  for (let i = 0; i < Math.max(a.length, b.length); i++) if (!Object.is(a[i], b[i])) return i
  return undefined
}

/**
 * A sum of `terms`, in whatever order and by whatever tree, is off by at most n eps times the sum of
 * their magnitudes (Higham 2002, section 4.2). Says what is wrong, in words.
 * @example
 * roundingFault(0.1 + 0.2, [0.1, 0.2]) // undefined
 */
export function roundingFault(
  seen: number,
  terms: readonly number[],
  { epsilon = Number.EPSILON }: { epsilon?: number } = {},
): string | undefined {
  const exact = exactSum(terms)
  if (Object.is(seen, exact)) return undefined
  if (!Number.isFinite(exact)) {
    return Object.is(seen, exact) ? undefined : `the sum is ${seen}, and must be ${exact}`
  }
  const magnitude = terms.reduce((sum, term) => sum + Math.abs(term), 0)
  // A sum on the way may leave the range where the whole does not.
  if (!Number.isFinite(magnitude)) return undefined
  const bound = terms.length * epsilon * magnitude
  if (Math.abs(seen - exact) <= bound) return undefined
  return `the sum is ${seen}, ${Math.abs(seen - exact)} away from ${exact}; rounding explains ${bound}`
}

/** The sum, rounded once: Shewchuk's exact partials (1997). */
function exactSum(terms: readonly number[]): number {
  if (terms.some((term) => !Number.isFinite(term)))
    return terms.reduce((sum, term) => sum + term, 0)
  const partials: number[] = []
  for (let term of terms) {
    let kept = 0
    for (let partial of partials) {
      if (Math.abs(term) < Math.abs(partial)) [term, partial] = [partial, term]
      const high = term + partial
      const low = partial - (high - term)
      if (low !== 0) partials[kept++] = low
      term = high
    }
    partials.length = kept
    partials.push(term)
  }
  return partials.reduceRight((sum, partial) => sum + partial, 0)
}
