/** Entries of a queue that holds at least `count`: the next power of two, at least 2. */
export function powerOfTwoFrom(count: number): number {
  return count <= 2 ? 2 : 1 << (32 - Math.clz32(count - 1))
}
