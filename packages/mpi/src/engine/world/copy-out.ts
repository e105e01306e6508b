import { hasNames } from '../../value/exactness.js'

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
    const copy = new Array<unknown>(value.length)
    seen.set(value, copy)
    // Holes stay holes.
    for (let i = 0; i < value.length; i++) if (i in value) copy[i] = copyOut(value[i], buffer, seen)
    if (!hasNames(value)) return copy
    for (const [key, item] of Object.entries(value)) {
      if (!(key in copy)) put(copy, key, copyOut(item, buffer, seen))
    }
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
  const copy = Object.create(prototype as object | null) as object
  seen.set(value, copy)
  for (const [key, item] of Object.entries(value)) put(copy, key, copyOut(item, buffer, seen))
  return copy
}

/** Assigning to `__proto__` would give the object another prototype. */
function put(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}
