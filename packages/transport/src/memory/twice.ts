/** The same numbers in an array of twice the length. */
export function twice<T extends Int32Array | Float64Array | Int8Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length)
  larger.set(array)
  return larger
}
