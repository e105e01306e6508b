import { MAX, MIN, Op, SUM } from '@commworld/mpi'
import fc from 'fast-check'

/** A reduction of values with what is needed to draw them and to fold them on one thread. */
export interface Reduction<T = unknown> {
  readonly name: string
  readonly op: Op
  readonly commutative: boolean
  readonly combine: (lower: T, higher: T) => T
  readonly values: fc.Arbitrary<T>
}

function reduction<T>(
  name: string,
  values: fc.Arbitrary<T>,
  combine: (lower: T, higher: T) => T,
  commutative: boolean,
  op: Op = Op.create(combine, { name, commutative }),
): Reduction<T> {
  // As short as it is in a counterexample.
  const shown = { [fc.toStringMethod]: () => name }
  return { name, op, commutative, combine, values, ...shown }
}

const whole = fc.integer({ min: -1000, max: 1000 })
const digit = fc.nat(6)
const MODULUS = 10_007

/** Reductions of values, the plainest first; all are associative, and the last four do not commute. */
export const reductions: readonly Reduction<never>[] = [
  reduction('sum', whole, (a, b) => a + b, true, SUM),
  reduction('largest', whole, Math.max, true, MAX),
  reduction('smallest', whole, Math.min, true, MIN),
  reduction('exclusive or', fc.nat(255), (a, b) => a ^ b, true),
  reduction('text after text', fc.string({ maxLength: 3 }), (a, b) => a + b, false),
  reduction(
    'product of 2x2 matrices',
    fc.record({ a: digit, b: digit, c: digit, d: digit }),
    (x, y) => ({
      a: (x.a * y.a + x.b * y.c) % MODULUS,
      b: (x.a * y.b + x.b * y.d) % MODULUS,
      c: (x.c * y.a + x.d * y.c) % MODULUS,
      d: (x.c * y.b + x.d * y.d) % MODULUS,
    }),
    false,
  ),
  reduction(
    'function after function',
    fc.record({ times: fc.integer({ min: 1, max: 9 }), plus: digit }),
    (f, g) => ({
      times: (f.times * g.times) % MODULUS,
      plus: (f.plus * g.times + g.plus) % MODULUS,
    }),
    false,
  ),
  reduction('the first of all', whole, (a) => a, false),
] as unknown as readonly Reduction<never>[]

/** A reduction; shrinks toward the sum. */
export function anyReduction({
  commutative,
}: { commutative?: boolean } = {}): fc.Arbitrary<Reduction> {
  const fitting = reductions.filter(
    (one) => commutative === undefined || one.commutative === commutative,
  )
  return fc.constantFrom(...fitting) as unknown as fc.Arbitrary<Reduction>
}
