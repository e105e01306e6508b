import type { TypedArray } from '@commworld/mpi'
import { scrambled } from './seeded.js'

/** An element as JavaScript reads it out of an array. */
export type Scalar = number | bigint

/** Typed arrays by the library's name of their kind, told without it; the plainest first. */
export const elementTypes = {
  int32: { array: Int32Array, bits: 32, form: 'signed' },
  float64: { array: Float64Array, bits: 64, form: 'float' },
  int8: { array: Int8Array, bits: 8, form: 'signed' },
  uint8: { array: Uint8Array, bits: 8, form: 'unsigned' },
  uint8clamped: { array: Uint8ClampedArray, bits: 8, form: 'clamped' },
  int16: { array: Int16Array, bits: 16, form: 'signed' },
  uint16: { array: Uint16Array, bits: 16, form: 'unsigned' },
  uint32: { array: Uint32Array, bits: 32, form: 'unsigned' },
  float32: { array: Float32Array, bits: 32, form: 'float' },
  bigint64: { array: BigInt64Array, bits: 64, form: 'signed' },
  biguint64: { array: BigUint64Array, bits: 64, form: 'unsigned' },
} as const

/** One of them. */
export type KindName = keyof typeof elementTypes
/** Kinds of elements by the library's names, the plainest first. */
export const kindNames = Object.keys(elementTypes) as readonly KindName[]

/** An array class, for `alloc` and for `new`. */
export interface ArrayClass {
  readonly prototype: TypedArray
  readonly BYTES_PER_ELEMENT: number
  new (length: number): TypedArray
}

export function classOf(kind: KindName): ArrayClass {
  return elementTypes[kind].array as ArrayClass
}

export function bytesOf(kind: KindName): number {
  return elementTypes[kind].bits / 8
}

export function isFloat(kind: KindName): boolean {
  return elementTypes[kind].form === 'float'
}

export function isBigInt(kind: KindName): boolean {
  return kind === 'bigint64' || kind === 'biguint64'
}

/** What an integer becomes when it is stored as an element of a kind. */
export function wrapped(kind: KindName, value: bigint): Scalar {
  const { bits, form } = elementTypes[kind]
  const limited = value < 0n ? 0n : value > 255n ? 255n : value
  const stored =
    form === 'clamped'
      ? limited
      : form === 'signed'
        ? BigInt.asIntN(bits, value)
        : BigInt.asUintN(bits, value)
  return isBigInt(kind) ? stored : Number(stored)
}

/** An element of the whole range of its kind, the same for the same place. */
export function anyElement(kind: KindName, ...place: readonly number[]): Scalar {
  const drawn = scrambled(...place)
  if (isBigInt(kind)) return wrapped(kind, (BigInt(drawn) << 32n) + BigInt(drawn ^ 0x5a5a5a5a))
  return storable(kind, drawn / (isFloat(kind) ? 3 : 1))
}

/** A number as an array of a kind holds it. */
const holders = new Map<KindName, TypedArray>()
function storable(kind: KindName, value: number): number {
  let holder = holders.get(kind)
  if (holder === undefined) holders.set(kind, (holder = new (classOf(kind))(1)))
  holder[0] = value
  return holder[0] as number
}

/** Puts elements into an array from `at` on. */
export function store(array: TypedArray, elements: readonly Scalar[], at = 0): void {
  const target = array as unknown as Scalar[]
  for (let i = 0; i < elements.length; i++) target[at + i] = elements[i]!
}

export function elementsOf(array: TypedArray): Scalar[] {
  return Array.from(array as unknown as ArrayLike<Scalar>)
}
