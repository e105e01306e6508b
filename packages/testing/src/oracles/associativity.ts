import { isDeepStrictEqual } from 'node:util'
import { inspect } from 'node:util'

/** A law was asked of an operation that it does not hold for. */
export class OperationLawError extends Error {
  override readonly name = 'OperationLawError'
}

/**
 * Laws of reductions need an operation that is associative (and some that it commutes): this looks
 * for samples that prove the opposite. Floating-point sums are not associative: give such laws whole
 * numbers, and compare floats by `roundingFault`.
 *
 * @throws {OperationLawError} with the operands
 * @example
 * assertAssociative((a, b) => a + b, [1, 2, 3])
 * assertAssociative((a, b) => a - b, [1, 2, 3]) // throws OperationLawError: (1 - 2) - 3 is not 1 - (2 - 3)
 */
export function assertAssociative<T>(
  combine: (lower: T, higher: T) => T,
  samples: readonly T[],
  { commutative = false }: { commutative?: boolean } = {},
): void {
  const name = combine.name || 'the operation'
  const show = (value: unknown): string => inspect(value, { breakLength: Infinity, depth: 2 })
  for (const a of samples) {
    for (const b of samples) {
      if (commutative && !isDeepStrictEqual(combine(a, b), combine(b, a))) {
        throw new OperationLawError(
          `${name} does not commute: of ${show(a)} and ${show(b)} it gives ${show(combine(a, b))} ` +
            `in one order and ${show(combine(b, a))} in the other`,
        )
      }
      for (const c of samples) {
        const left = combine(combine(a, b), c)
        const right = combine(a, combine(b, c))
        if (isDeepStrictEqual(left, right)) continue
        throw new OperationLawError(
          `${name} is not associative, which reductions need (MPI 4.1, section 6.9.5): of ${show(a)}, ` +
            `${show(b)} and ${show(c)} it gives ${show(left)} when the first two are folded first, ` +
            `and ${show(right)} when the last two are`,
        )
      }
    }
  }
}
