import { Op, type TypedArray } from '@commworld/mpi'
import fc from 'fast-check'
import { arrayOf, LONG_BYTES, type Make } from './contents.js'
import { elementReductions, foldBlocks, type ElementReductionName } from './element-reductions.js'
import { elementsOf, type KindName, type Scalar } from './element-types.js'
import { scrambled } from './seeded.js'

/** A reduction of values with what is needed to draw them and to fold them on one thread. */
export interface Reduction<T = unknown> {
  readonly name: string
  readonly op: Op
  readonly commutative: boolean
  /** Changes none of its operands, and takes no part of the library. */
  combine(this: void, lower: T, higher: T): T
  /** What ranks give. */
  readonly values: fc.Arbitrary<T>
  /** The same by place, for calls that are told as plain data. */
  make(this: void, ...place: readonly number[]): T
}

type Rest<T> = Omit<Reduction<T>, 'name' | 'values'> & { readonly values?: fc.Arbitrary<T> }

/** Any value that a reduction takes, told by a number. */
const SEEDS = 1_000_000
const whole = fc.integer({ min: -1000, max: 1000 })
const digit = fc.nat(6)
const MODULUS = 10_007

/** Typed arrays, folded element by element. */
function arrays(name: ElementReductionName, kind: KindName, items: number): Rest<TypedArray> {
  const reduction = elementReductions[name]
  const { op, unit, commutative, element } = reduction
  return {
    op,
    commutative,
    make: (...place) =>
      arrayOf(
        kind,
        Array.from({ length: unit * items }, (_, i) => element(kind, i, ...place, i)),
      ),
    combine: (lower, higher) =>
      arrayOf(kind, foldBlocks(reduction, kind, elementsOf(lower), elementsOf(higher))),
  }
}

/** Single numbers or bigints, which are elements of the widest kinds. */
function single(
  name: ElementReductionName,
  kind: 'float64' | 'int32' | 'bigint64',
  values?: fc.Arbitrary<Scalar>,
): Rest<Scalar> {
  const { op, commutative, element, fold } = elementReductions[name]
  return {
    op,
    commutative,
    make: (...place) => element(kind, 0, ...place),
    combine: (lower, higher) => fold(kind, [lower], [higher])[0]!,
    ...(values && { values }),
  }
}

function booleans(name: 'LAND' | 'LOR' | 'LXOR'): Rest<boolean> {
  const { op, fold } = elementReductions[name]
  const bit = (value: boolean): [number] => [value ? 1 : 0]
  return {
    op,
    commutative: true,
    make: (...place) => scrambled(...place) % 3 > 0,
    combine: (lower, higher) => fold('int32', bit(lower), bit(higher))[0] === 1,
  }
}

interface Located {
  readonly value: Scalar
  readonly index: Scalar
}

function located(name: 'MINLOC' | 'MAXLOC'): Rest<Located> {
  const { op, element, fold } = elementReductions[name]
  return {
    op,
    commutative: true,
    make: (...place) => ({
      value: element('float64', 0, ...place),
      index: element('float64', 1, ...place),
    }),
    combine(lower, higher) {
      const [value, index] = fold(
        'float64',
        [lower.value, lower.index],
        [higher.value, higher.index],
      )
      return { value: value!, index: index! }
    },
  }
}

/** A function of the user, which is its own model. */
function ofUser<T>(
  name: string,
  make: Make<T>,
  combine: (lower: T, higher: T) => T,
  { commutative = false, values }: { commutative?: boolean; values?: fc.Arbitrary<T> } = {},
): Rest<T> {
  const op = Op.create(combine, { name, commutative })
  return { op, commutative, make, combine, ...(values && { values }) }
}

interface Chain {
  readonly items: unknown[]
}

/** Changes its second operand and gives it back: it must be nobody else's. */
const chain: Rest<Chain> = {
  op: Op.create(
    (lower: Chain, higher: Chain) => {
      higher.items.unshift(...lower.items)
      return higher
    },
    { name: 'chain' },
  ),
  commutative: false,
  make: (...place) => ({ items: [scrambled(...place) % 100] }),
  combine: (lower, higher) => ({ items: [...lower.items, ...higher.items] }),
}

const concatenate = (lower: string, higher: string): string => lower + higher
const numbers =
  (times: number): Make<string> =>
  (...place) =>
    `${scrambled(...place) % 1000},`.repeat(times)

/** Four digits by place. */
const digits = (...place: readonly number[]): [number, number, number, number] => {
  const drawn = scrambled(...place)
  return [drawn % 7, (drawn >>> 8) % 7, (drawn >>> 16) % 7, (drawn >>> 24) % 7]
}

/** Every reduction of values by name; all are associative. */
export const valueReductions = named({
  'SUM of numbers': single('SUM', 'float64', whole),
  'MAX of numbers': single('MAX', 'float64', whole),
  'MIN of numbers': single('MIN', 'float64', whole),
  'BXOR of integers': single('BXOR', 'int32', fc.nat(255)),
  'text after text': ofUser('concatenate', numbers(1), concatenate, {
    values: fc.string({ maxLength: 3 }),
  }),
  'product of 2x2 matrices': ofUser(
    'matrixProduct',
    (...place) => {
      const [a, b, c, d] = digits(...place)
      return { a, b, c, d }
    },
    (x, y) => ({
      a: (x.a * y.a + x.b * y.c) % MODULUS,
      b: (x.a * y.b + x.b * y.d) % MODULUS,
      c: (x.c * y.a + x.d * y.c) % MODULUS,
      d: (x.c * y.b + x.d * y.d) % MODULUS,
    }),
    { values: fc.record({ a: digit, b: digit, c: digit, d: digit }) },
  ),
  'function after function': ofUser(
    'compose',
    (...place) => {
      const [times, plus] = digits(...place)
      return { times: times + 1, plus }
    },
    (f, g) => ({
      times: (f.times * g.times) % MODULUS,
      plus: (f.plus * g.times + g.plus) % MODULUS,
    }),
    { values: fc.record({ times: fc.integer({ min: 1, max: 9 }), plus: digit }) },
  ),
  'the first of all': ofUser(
    'first',
    (...place) => scrambled(...place) % 1000,
    (lower) => lower,
    { values: whole },
  ),
  'PROD of numbers': single('PROD', 'float64'),
  'SUM of bigints': single('SUM', 'bigint64'),
  'PROD of bigints': single('PROD', 'bigint64'),
  'MAX of bigints': single('MAX', 'bigint64'),
  'LAND of integers': single('LAND', 'int32'),
  'LXOR of bigints': single('LXOR', 'bigint64'),
  'LAND of booleans': booleans('LAND'),
  'LOR of booleans': booleans('LOR'),
  'LXOR of booleans': booleans('LXOR'),
  'BAND of integers': single('BAND', 'int32'),
  'BOR of integers': single('BOR', 'int32'),
  'BXOR of bigints': single('BXOR', 'bigint64'),
  'MAXLOC of objects': located('MAXLOC'),
  'MINLOC of objects': located('MINLOC'),
  'MAXLOC of pairs': arrays('MAXLOC', 'int16', 3),
  'SUM of int8 arrays': arrays('SUM', 'int8', 5),
  'SUM of clamped arrays': arrays('SUM', 'uint8clamped', 5),
  'PROD of biguint64 arrays': arrays('PROD', 'biguint64', 2),
  'MIN of long float32 arrays': arrays('MIN', 'float32', LONG_BYTES / 4),
  'SUM of empty arrays': arrays('SUM', 'float64', 0),
  'affine maps in arrays': arrays('affine', 'float64', 3),
  'matrices in long arrays': arrays('matrix', 'int16', LONG_BYTES / 8),
  'long text after text': ofUser('concatenate', numbers(500), concatenate),
  'the longest text': ofUser(
    'longest',
    (...place) => 'x'.repeat(scrambled(...place) % 40) + (scrambled(...place) % 10),
    (a, b) => (a.length > b.length || (a.length === b.length && a < b) ? a : b),
    { commutative: true },
  ),
  chain,
})

/** One of them. */
export type ReductionName = keyof typeof valueReductions
/** Reductions of values, by name. */
export const reductionNames = Object.keys(valueReductions) as readonly ReductionName[]

/** The plainest ones first; four of them do not commute. */
export const reductions: readonly Reduction<never>[] = reductionNames
  .slice(0, reductionNames.indexOf('PROD of numbers'))
  .map((name) => valueReductions[name] as unknown as Reduction<never>)

/**
 * One of the plain reductions; shrinks toward the sum.
 * @example
 * fc.assert(fc.property(anyReduction({ commutative: true }), ({ commutative }) => commutative))
 */
export function anyReduction({
  commutative,
}: { commutative?: boolean } = {}): fc.Arbitrary<Reduction> {
  const fitting = reductions.filter(
    (one) => commutative === undefined || one.commutative === commutative,
  )
  return fc.constantFrom(...fitting) as unknown as fc.Arbitrary<Reduction>
}

function named<Name extends string>(
  rests: Readonly<Record<Name, Rest<unknown>>>,
): Readonly<Record<Name, Reduction>> {
  const entries = Object.entries<Rest<unknown>>(rests).map(([name, rest]) => {
    const values = rest.values ?? fc.nat(SEEDS).map((seed) => rest.make(seed))
    // As short as it is in a counterexample.
    return [name, { name, ...rest, values, [fc.toStringMethod]: () => name }] as const
  })
  return Object.fromEntries(entries) as unknown as Record<Name, Reduction>
}
