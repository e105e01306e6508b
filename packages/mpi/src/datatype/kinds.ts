/** The typed arrays that memory of a message may be. */
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array

/** Code of an element type in a message: 0..10, an index into the table below. */
export type ElementKind = number

type Constructor = {
  readonly BYTES_PER_ELEMENT: number
  readonly name: string
  readonly prototype: TypedArray
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): TypedArray
  new (length: number): TypedArray
}

/** One row for each kind, in the order of the codes. */
export const elementKinds = [
  { name: 'int8', array: Int8Array },
  { name: 'uint8', array: Uint8Array },
  { name: 'uint8clamped', array: Uint8ClampedArray },
  { name: 'int16', array: Int16Array },
  { name: 'uint16', array: Uint16Array },
  { name: 'int32', array: Int32Array },
  { name: 'uint32', array: Uint32Array },
  { name: 'float32', array: Float32Array },
  { name: 'float64', array: Float64Array },
  { name: 'bigint64', array: BigInt64Array },
  { name: 'biguint64', array: BigUint64Array },
] as const satisfies readonly { name: string; array: Constructor }[]

export const INT8 = 0
export const UINT8 = 1
export const UINT8_CLAMPED = 2
export const INT16 = 3
export const UINT16 = 4
export const INT32 = 5
export const UINT32 = 6
export const FLOAT32 = 7
export const FLOAT64 = 8
export const BIGINT64 = 9
export const BIGUINT64 = 10

/** What `kindOf` says of anything that is no typed array of the table. */
export const NO_KIND = -1

const BYTES: readonly number[] = elementKinds.map(({ array }) => array.BYTES_PER_ELEMENT)
const NAMES: readonly string[] = elementKinds.map(({ name }) => name)
const CONSTRUCTORS: readonly Constructor[] = elementKinds.map(({ array }) => array)
const CONSTRUCTOR_NAMES: readonly string[] = elementKinds.map(({ array }) => array.name)

/** Kind of a typed array, or `NO_KIND` for any other value. The common ones are found first. */
export function kindOf(value: unknown): ElementKind {
  if (typeof value !== 'object' || value === null) return NO_KIND
  switch (value.constructor) {
    case Float64Array:
      return viewed(value, FLOAT64)
    case Int32Array:
      return viewed(value, INT32)
    case Uint8Array:
      return viewed(value, UINT8)
    case Float32Array:
      return viewed(value, FLOAT32)
    case Uint32Array:
      return viewed(value, UINT32)
    case Object:
    case Array:
      return NO_KIND
    default:
      return kindByTag(value)
  }
}

// A constructor can be borrowed (`Float64Array.prototype` has it too); being a view cannot.
function viewed(value: object, kind: ElementKind): ElementKind {
  return ArrayBuffer.isView(value) ? kind : NO_KIND
}

/** Subclasses (such as Buffer), arrays of another realm, and the less common kinds. */
function kindByTag(value: object): ElementKind {
  if (!ArrayBuffer.isView(value)) return NO_KIND
  // The getter of %TypedArray%.prototype reads an internal slot, so nothing can pretend to be another kind.
  return CONSTRUCTOR_NAMES.indexOf(tagOf.call(value) ?? '')
}

const tagOf = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype) as object,
  Symbol.toStringTag,
)?.get as (this: object) => string | undefined

/** Bytes of one element. */
export function bytesOf(kind: ElementKind): number {
  return BYTES[kind]!
}

/** Name for people: `float64`. */
export function nameOf(kind: ElementKind): string {
  return NAMES[kind] ?? `kind ${kind}`
}

/** A view of `length` elements; `byteOffset` must be a multiple of the element's size. */
export function arrayOf(
  kind: ElementKind,
  buffer: ArrayBufferLike,
  byteOffset: number,
  length: number,
): TypedArray {
  return new CONSTRUCTORS[kind]!(buffer, byteOffset, length)
}

/** A fresh array of `length` zeros outside of the world's memory. */
export function freshArray(kind: ElementKind, length: number): TypedArray {
  return new CONSTRUCTORS[kind]!(length)
}
