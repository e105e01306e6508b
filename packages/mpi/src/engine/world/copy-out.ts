/**
 * A value without any of a world's memory in it: arrays on it are copied, what holds such arrays is
 * made anew, everything else stays as it is. For results, which outlive their world.
 */
export function copyOut(
  value: unknown,
  buffer: ArrayBufferLike,
  seen = new Map<object, unknown>(),
): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (ArrayBuffer.isView(value)) {
    return value.buffer === buffer ? (value as Uint8Array).slice() : value
  }
  const known = seen.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) {
    const copy: unknown[] = []
    seen.set(value, copy)
    for (const item of value) copy.push(copyOut(item, buffer, seen))
    return copy
  }
  if (value instanceof Map) {
    const copy = new Map<unknown, unknown>()
    seen.set(value, copy)
    for (const [key, item] of value)
      copy.set(copyOut(key, buffer, seen), copyOut(item, buffer, seen))
    return copy
  }
  if (value instanceof Set) {
    const copy = new Set<unknown>()
    seen.set(value, copy)
    for (const item of value) copy.add(copyOut(item, buffer, seen))
    return copy
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const copy = Object.create(prototype as object | null) as Record<string, unknown>
  seen.set(value, copy)
  for (const [key, item] of Object.entries(value)) copy[key] = copyOut(item, buffer, seen)
  return copy
}
