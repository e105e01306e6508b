import fc from 'fast-check'
import { elementTypes, isBigInt, kindNames, type KindName } from './element-types.js'
import { scrambled } from './seeded.js'

/** A class of typed arrays whose elements are numbers. */
export type ElementKind = (typeof elementTypes)[Exclude<KindName, BigKindName>]['array']
export type BigElementKind = (typeof elementTypes)[BigKindName]['array']
type BigKindName = 'bigint64' | 'biguint64'

/** Typed arrays of numbers. Those of bigints are in `bigElementKinds`. */
export const elementKinds = classesOf(false) as readonly ElementKind[]
/** Typed arrays of bigints. */
export const bigElementKinds = classesOf(true) as readonly BigElementKind[]

function classesOf(bigints: boolean): readonly (ElementKind | BigElementKind)[] {
  return kindNames
    .filter((kind) => isBigInt(kind) === bigints)
    .map((kind) => elementTypes[kind].array)
}

/**
 * Kinds of elements; shrinks toward Int32Array.
 * @example
 * fc.assert(fc.property(kinds(), (kind) => new kind(3).length === 3))
 */
export function kinds(): fc.Arbitrary<ElementKind> {
  return fc.constantFrom(...elementKinds)
}

/** Values that rounding, signs and ranges trip over. */
export const hostileFloats: readonly number[] = [
  ...[0, -0, 1, -1, NaN, Infinity, -Infinity, Number.MIN_VALUE, -Number.MIN_VALUE],
  ...[2 ** -1022, Number.EPSILON, 1 + Number.EPSILON, Number.MAX_VALUE, -Number.MAX_VALUE],
  ...[1e16, -1e16, 2 ** 53, 2 ** 53 + 2, 0.1, 1 / 3, 1e-45, 3.4e38, -3.4e38],
]

/** What a rank gives: how element `index` of rank `rank` is filled. */
export interface Filling {
  readonly name: string
  readonly at: (rank: number, index: number) => number
}

const STEP = 1000

/**
 * Data that differs by rank, always: equal data hides a wrong root. Shrinks toward rank * 1000 + index.
 * @example
 * fc.assert(fc.property(fillings(), ({ at }) => at(0, 0) !== at(1, 0)))
 */
export function fillings({ floats = false }: { floats?: boolean } = {}): fc.Arbitrary<Filling> {
  const plain: Filling = { name: 'rank * 1000 + index', at: (rank, index) => rank * STEP + index }
  const negative: Filling = {
    name: '-(rank * 1000 + index)',
    at: (rank, index) => -plain.at(rank, index),
  }
  if (!floats) return fc.constantFrom(plain, negative)
  const hostile = fc.nat().map(hostileFilling)
  const mixed: Filling = {
    name: 'big and small ones',
    at: (rank, index) => (rank % 2 === 0 ? 1 : -1) * 10 ** (((rank * 5 + index) % 33) - 16),
  }
  return fc.oneof({ withCrossShrink: true }, fc.constant(plain), fc.constant(mixed), hostile)
}

/**
 * Values that overflow, cancel and vanish, and quite ordinary ones. Some elements are hostile on few
 * ranks only: otherwise all results would be not-a-number.
 * @example
 * filled(Float64Array, 100, hostileFilling(1), 0).length // 100
 */
export function hostileFilling(seed: number): Filling {
  const at = (rank: number, index: number): number => {
    const drawn = scrambled(seed, rank, index)
    const wild = drawn % 16 === 0 || (index % 4 === 0 && drawn % 3 === 0)
    if (wild) return hostileFloats[drawn % hostileFloats.length]!
    return (drawn / 2 ** 32 - 0.5) * 10 ** (drawn % 40)
  }
  return { name: `hostile floats of seed ${seed}`, at }
}

/**
 * An array filled for a rank.
 * @example
 * filled(Int32Array, 3, { name: 'mine', at: (rank, index) => 10 * rank + index }, 2)
 * // Int32Array(3) [ 20, 21, 22 ]
 */
export function filled<A extends InstanceType<ElementKind>>(
  kind: new (length: number) => A,
  length: number,
  { at }: Filling,
  rank: number,
): A {
  const array = new kind(length)
  for (let index = 0; index < length; index++) array[index] = at(rank, index)
  return array
}
