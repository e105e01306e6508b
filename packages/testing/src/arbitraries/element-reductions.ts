import {
  BAND,
  BOR,
  BXOR,
  LAND,
  LOR,
  LXOR,
  MAX,
  MAXLOC,
  MIN,
  MINLOC,
  Op,
  PROD,
  SUM,
  type TypedArray,
} from '@commworld/mpi'
import {
  anyElement,
  isBigInt,
  isFloat,
  store,
  wrapped,
  type KindName,
  type Scalar,
} from './element-types.js'
import { scrambled } from './seeded.js'

/** A reduction of elements in memory and what it must do, told without the library. */
export interface ElementReduction {
  readonly op: Op
  /** Elements that belong together. */
  readonly unit: number
  readonly commutative: boolean
  /** A function of the user, which may only be cut between items of a datatype. */
  readonly own: boolean
  accepts(kind: KindName): boolean
  /** Contributions whose result does not depend on how they are bracketed. */
  element(kind: KindName, index: number, ...place: readonly number[]): Scalar
  /** Folds `unit` elements. */
  fold(kind: KindName, lower: readonly Scalar[], higher: readonly Scalar[]): Scalar[]
}

type Whole = (lower: bigint, higher: bigint) => bigint
type Real = (lower: number, higher: number) => number

/** An element on its own: integers as if there were no end to them, then cut to their width. */
function single(op: Op, whole: Whole, real?: Real): ElementReduction {
  return {
    op,
    unit: 1,
    commutative: true,
    own: false,
    accepts: (kind) => real !== undefined || !isFloat(kind),
    element: (kind, _, ...place) => exact(op, kind, ...place),
    fold: (kind, lowers, highers) => {
      const [lower, higher] = [lowers[0]!, highers[0]!]
      if (!isFloat(kind)) return [wrapped(kind, whole(BigInt(lower), BigInt(higher)))]
      const result = real!(Number(lower), Number(higher))
      return [kind === 'float32' ? Math.fround(result) : result]
    },
  }
}

/** Of floats those whose sum, or product, is exact in any order. */
function exact(op: Op, kind: KindName, ...place: readonly number[]): Scalar {
  const drawn = scrambled(...place)
  if (!isFloat(kind))
    return drawn % 5 === 0 ? wrapped(kind, BigInt(drawn % 3)) : anyElement(kind, ...place)
  if (op === SUM) return (drawn % 2001) - 1000
  if (op === PROD) return [1, -1, 2, 0.5, -2, 1][drawn % 6]!
  return [NaN, -0, 0, 1.5, -(2 ** 99), 2 ** 99, Infinity, 7][drawn % 8]!
}

function pairs(op: Op, better: (value: Scalar, than: Scalar) => boolean): ElementReduction {
  return {
    op,
    unit: 2,
    commutative: true,
    own: false,
    accepts: () => true,
    element(kind, index, ...place) {
      const drawn = scrambled(...place)
      const small = index % 2 === 0 ? drawn % 4 : drawn % 100
      if (isFloat(kind) && index % 2 === 0 && drawn % 11 === 0) return NaN
      return isBigInt(kind) ? BigInt(small) : small
    },
    fold(_, lower, higher) {
      const [value, index] = lower as [Scalar, Scalar]
      const [otherValue, otherIndex] = higher as [Scalar, Scalar]
      if (Number.isNaN(value) || Number.isNaN(otherValue)) {
        if (!Number.isNaN(otherValue)) return [...lower]
        if (!Number.isNaN(value)) return [...higher]
        return index < otherIndex ? [...lower] : [...higher]
      }
      if (better(value, otherValue)) return [...lower]
      if (better(otherValue, value)) return [...higher]
      return index < otherIndex ? [...lower] : [...higher]
    },
  }
}

/** Small enough that sums of products of all kinds are exact. */
const PRIME = 113

/** As many elements of it as an operation has. */
type Item = readonly [number, number, number, number]
type Combine = (lower: Item, higher: Item) => number[]

/** A function of the user on items of `unit` elements, counted modulo a prime. */
function own(name: string, unit: number, commutative: boolean, combine: Combine): ElementReduction {
  const itemOf = (array: TypedArray | readonly Scalar[], at: number): Item =>
    Array.from({ length: unit }, (_, i) => Number(array[at + i])) as unknown as Item
  const op = Op.create(
    (lower: TypedArray, higher: TypedArray) => {
      const isBig = typeof higher[0] === 'bigint'
      for (let at = 0; at < higher.length; at += unit) {
        const result = combine(itemOf(lower, at), itemOf(higher, at))
        store(higher, isBig ? result.map(BigInt) : result, at)
      }
    },
    { name, commutative },
  )
  return {
    op,
    unit,
    commutative,
    own: true,
    accepts: () => true,
    element(kind, _, ...place) {
      const small = scrambled(...place) % PRIME
      return isBigInt(kind) ? BigInt(small) : small
    },
    fold(kind, lower, higher) {
      const result = combine(itemOf(lower, 0), itemOf(higher, 0))
      return isBigInt(kind) ? result.map(BigInt) : result
    },
  }
}

/** x -> a x + b, the lower first. */
const affine: Combine = ([a, b], [c, d]) => [(a * c) % PRIME, (b * c + d) % PRIME]

/** The smaller and the larger one: not-a-number is both, and -0 is below 0. */
function ordered(a: number, b: number): [number, number] {
  if (Number.isNaN(a) || Number.isNaN(b)) return [NaN, NaN]
  return a < b || (a === b && Object.is(a, -0)) ? [a, b] : [b, a]
}

/** 2 x 2, by rows. */
const matrix: Combine = ([a, b, c, d], [e, f, g, h]) => [
  (a * e + b * g) % PRIME,
  (a * f + b * h) % PRIME,
  (c * e + d * g) % PRIME,
  (c * f + d * h) % PRIME,
]

const truth = (value: boolean): bigint => (value ? 1n : 0n)

/** Reductions of elements by name: all of the library, and three of a user, two of which do not commute. */
export const elementReductions = {
  SUM: single(
    SUM,
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  PROD: single(
    PROD,
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  MAX: single(
    MAX,
    (a, b) => (a > b ? a : b),
    (a, b) => ordered(a, b)[1],
  ),
  MIN: single(
    MIN,
    (a, b) => (a < b ? a : b),
    (a, b) => ordered(a, b)[0],
  ),
  LAND: single(LAND, (a, b) => truth(a !== 0n && b !== 0n)),
  LOR: single(LOR, (a, b) => truth(a !== 0n || b !== 0n)),
  LXOR: single(LXOR, (a, b) => truth((a !== 0n) !== (b !== 0n))),
  BAND: single(BAND, (a, b) => a & b),
  BOR: single(BOR, (a, b) => a | b),
  BXOR: single(BXOR, (a, b) => a ^ b),
  MAXLOC: pairs(MAXLOC, (value, than) => value > than),
  MINLOC: pairs(MINLOC, (value, than) => value < than),
  affine: own('affine', 2, false, affine),
  matrix: own('matrix', 4, false, matrix),
  modular: own('modular', 1, true, ([a], [b]) => [(a + b) % PRIME]),
} as const satisfies Record<string, ElementReduction>

/** One of them. */
export type ElementReductionName = keyof typeof elementReductions
/** Reductions of arrays element by element, by name. */
export const elementReductionNames = Object.keys(
  elementReductions,
) as readonly ElementReductionName[]

/** Blocks of several items, folded item by item. */
export function foldBlocks(
  { unit, fold }: ElementReduction,
  kind: KindName,
  lower: readonly Scalar[],
  higher: readonly Scalar[],
): Scalar[] {
  const result: Scalar[] = []
  for (let at = 0; at < lower.length; at += unit) {
    result.push(...fold(kind, lower.slice(at, at + unit), higher.slice(at, at + unit)))
  }
  return result
}
