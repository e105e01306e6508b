/**
 * Whether two values are the same to every observer: same classes and content, -0 is not 0, holes are
 * not undefined, and what is one object on one side is one object on the other.
 */
export function difference(left: unknown, right: unknown): string | undefined {
  const pairs = new Map<object, object>()
  const back = new Map<object, object>()

  function compare(a: unknown, b: unknown, path: string): string | undefined {
    if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) {
      return Object.is(a, b) ? undefined : `${path}: ${String(a)} and ${String(b)}`
    }
    if (pairs.has(a) || back.has(b)) {
      return pairs.get(a) === b && back.get(b) === a ? undefined : `${path}: other references`
    }
    pairs.set(a, b)
    back.set(b, a)
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return `${path}: other class`
    if (ArrayBuffer.isView(a) || a instanceof ArrayBuffer) return bytes(a, b as ArrayBuffer, path)
    if (a instanceof Date) return compare(a.getTime(), (b as Date).getTime(), `${path}.time`)
    if (a instanceof RegExp) return compare(String(a), String(b), `${path}.pattern`)
    if (a instanceof Map || a instanceof Set) {
      return compareLists([...a].flat(1), [...(b as Set<unknown>)].flat(1), `${path}.entries`)
    }
    if (a instanceof Error) return errors(a, b as Error, path)
    if (Array.isArray(a) && a.length !== (b as unknown[]).length) return `${path}: other length`
    const keys = Object.keys(a)
    const others = Object.keys(b)
    if (keys.join('\n') !== others.join('\n')) return `${path}: keys ${keys} and ${others}`
    return first(keys, (key) =>
      compare(
        (a as Record<string, unknown>)[key],
        (b as Record<string, unknown>)[key],
        `${path}.${key}`,
      ),
    )
  }

  function compareLists(a: unknown[], b: unknown[], path: string): string | undefined {
    if (a.length !== b.length) return `${path}: other size`
    return first([...a.keys()], (i) => compare(a[i], b[i], `${path}[${i}]`))
  }

  function bytes(a: ArrayBuffer | ArrayBufferView, b: ArrayBuffer | ArrayBufferView, path: string) {
    return Buffer.compare(bytesOf(a), bytesOf(b)) === 0 ? undefined : `${path}: other bytes`
  }

  function errors(a: Error, b: Error, path: string): string | undefined {
    return first(['name', 'message', 'stack', 'cause'] as const, (key) =>
      compare(a[key], b[key], `${path}.${key}`),
    )
  }

  return compare(left, right, 'value')
}

function bytesOf(memory: ArrayBuffer | ArrayBufferView): Buffer {
  return ArrayBuffer.isView(memory)
    ? Buffer.from(memory.buffer, memory.byteOffset, memory.byteLength)
    : Buffer.from(memory)
}

function first<T>(items: readonly T[], look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item)
    if (found !== undefined) return found
  }
  return undefined
}
