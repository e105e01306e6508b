import fc from 'fast-check'

/** Typed arrays of numbers. Those of bigints are in `bigElementKinds`. */
export const elementKinds = [
  Int32Array,
  Float64Array,
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Uint32Array,
  Float32Array,
] as const

export const bigElementKinds = [BigInt64Array, BigUint64Array] as const

export type ElementKind = (typeof elementKinds)[number]

/** Kinds of elements; shrinks toward Int32Array. */
export function kinds(): fc.Arbitrary<ElementKind> {
  return fc.constantFrom(...elementKinds)
}

/** Values that rounding, signs and ranges trip over. */
export const hostileFloats: readonly number[] = [
  ...[0, -0, 1, -1, NaN, Infinity, -Infinity, Number.MIN_VALUE, -Number.MIN_VALUE],
  ...[2 ** -1022, Number.EPSILON, 1 + Number.EPSILON, Number.MAX_VALUE, -Number.MAX_VALUE],
  ...[1e16, -1e16, 2 ** 53, 2 ** 53 + 2, 0.1],
]

/** What a rank gives: how element `index` of rank `rank` is filled. */
export interface Filling {
  readonly name: string
  readonly at: (rank: number, index: number) => number
}

const STEP = 1000

/**
 * Data that differs by rank, always: equal data hides a wrong root. Shrinks toward rank * 1000 + index.
 */
export function fillings({ floats = false }: { floats?: boolean } = {}): fc.Arbitrary<Filling> {
  const plain: Filling = { name: 'rank * 1000 + index', at: (rank, index) => rank * STEP + index }
  const negative: Filling = {
    name: '-(rank * 1000 + index)',
    at: (rank, index) => -plain.at(rank, index),
  }
  if (!floats) return fc.constantFrom(plain, negative)
  const hostile = fc.nat(hostileFloats.length - 1).map((shift): Filling => {
    const at = (rank: number, index: number): number =>
      hostileFloats[(shift + 7 * rank + index) % hostileFloats.length]!
    return { name: `hostile floats from ${shift}`, at }
  })
  const mixed: Filling = {
    name: 'big and small ones',
    at: (rank, index) => (rank % 2 === 0 ? 1 : -1) * 10 ** (((rank * 5 + index) % 33) - 16),
  }
  return fc.oneof({ withCrossShrink: true }, fc.constant(plain), fc.constant(mixed), hostile)
}

/** An array filled for a rank. */
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
