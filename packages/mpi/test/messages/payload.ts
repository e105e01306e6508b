import type { TypedArray } from '@commworld/mpi'
import { difference } from '../value/same-graph.js'

/** What a message carries, so that it can be written down: the content follows from a seed. */
export type Payload =
  | { readonly form: 'memory'; readonly kind: KindName; readonly elements: number }
  | { readonly form: 'value'; readonly name: ValueName; readonly length: number }

export const kinds = {
  int8: Int8Array,
  uint8: Uint8Array,
  uint8Clamped: Uint8ClampedArray,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
  bigInt64: BigInt64Array,
  bigUint64: BigUint64Array,
} as const

export type KindName = keyof typeof kinds

export const values = {
  text: (length: number, seed: number): unknown => String(seed % 10).repeat(length),
  list: (length: number, seed: number): unknown => Array.from({ length }, (_, i) => i + seed),
  record: (length: number, seed: number): unknown => ({
    seed,
    name: 'n'.repeat(length % 50),
    grid: [[1, 2], [seed]],
  }),
  mixed: (length: number, seed: number): unknown => ({
    grid: Float64Array.from({ length: length % 100 }, (_, i) => i / seed),
    at: new Date(seed),
    zero: -0,
    missing: undefined,
  }),
  records: (length: number, seed: number): unknown =>
    Array.from({ length: length % 60 }, (_, i) => ({ i, seed, even: i % 2 === 0 })),
  map: (length: number, seed: number): unknown =>
    new Map([...Array(length % 20).keys()].map((i) => [i, new Set([seed, `${i}`])])),
  cycle: (_: number, seed: number): unknown => {
    const ring: Record<string, unknown> = { seed }
    ring['me'] = { ring }
    return [ring, ring]
  },
  // oxlint-disable-next-line no-sparse-arrays -- holes must arrive as holes
  holes: (_: number, seed: number): unknown => [seed, , undefined, ,],
  integer: (_: number, seed: number): unknown => seed,
  fraction: (_: number, seed: number): unknown => seed / 3,
  minusZero: (): unknown => -0,
  notANumber: (): unknown => NaN,
  infinity: (): unknown => -Infinity,
  bigint: (_: number, seed: number): unknown => -BigInt(seed),
  bigintLimit: (): unknown => -(2n ** 63n),
  bigintBeyond: (_: number, seed: number): unknown => 2n ** 63n + BigInt(seed),
  nothing: (): unknown => undefined,
  null: (): unknown => null,
  boolean: (_: number, seed: number): unknown => seed % 2 === 0,
} as const

export type ValueName = keyof typeof values

export function emptyArray(kind: KindName, length: number): TypedArray {
  return new kinds[kind](length)
}

/** The typed array of a memory payload: all bits, NaNs of every kind included. */
export function arrayOf(payload: Payload & { form: 'memory' }, seed: number): TypedArray {
  const array = emptyArray(payload.kind, payload.elements)
  const bytes = new Uint8Array(array.buffer)
  let state = (seed * 2654435761) >>> 0 || 1
  for (let i = 0; i < bytes.length; i++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    bytes[i] = state
  }
  return array
}

/** What `send` is given and `recv` must return. */
export function contentOf(payload: Payload, seed: number): unknown {
  return payload.form === 'memory'
    ? arrayOf(payload, seed)
    : values[payload.name](payload.length, seed)
}

/** What differs between what arrived and what was sent, if anything does. */
export function wrong(payload: Payload, seed: number, arrived: unknown): string | undefined {
  const found = difference(arrived, contentOf(payload, seed))
  if (found === undefined) return undefined
  return `${JSON.stringify(payload)} (seed ${seed}): ${found.slice(0, 200)}`
}

export function bytesOf({ kind, elements }: Payload & { form: 'memory' }): number {
  return elements * kinds[kind].BYTES_PER_ELEMENT
}
