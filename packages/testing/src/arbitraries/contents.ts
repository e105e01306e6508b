import type { TypedArray } from '@commworld/mpi'
import { anyElement, classOf, store, type KindName, type Scalar } from './element-types.js'
import { scrambled } from './seeded.js'

/** What a rank gives: the same for the same place, such as seed, rank and block. */
export type Make<T = unknown> = (...place: readonly number[]) => T

/** Enough for a message of its own, beyond any slot, eagerly buffered or not. */
export const LONG_BYTES = 6000

export function arrayOf(kind: KindName, elements: readonly Scalar[]): TypedArray {
  const array = new (classOf(kind))(elements.length)
  store(array, elements)
  return array
}

/** Values of every sort that travels. */
export const contents = {
  number: (...place) => [-0, NaN, 1.5, Infinity, 2 ** 53, 7][scrambled(...place) % 6],
  bigint: (...place) => anyElement('bigint64', ...place),
  'bigint beyond 64 bits': (...place) => BigInt(scrambled(...place)) ** 5n,
  string: (...place) => `« ${scrambled(...place)} »`,
  'long string': (...place) => `${scrambled(...place)} `.repeat(LONG_BYTES / 8),
  nothing: (...place) => [undefined, null, '', false, 0][scrambled(...place) % 5],
  object: (...place) => {
    const number = scrambled(...place)
    return { number, of: [place, { float: number / 7, none: undefined }], [`key ${number}`]: null }
  },
  'built-ins': (...place) => {
    const number = scrambled(...place)
    const holes: unknown[] = []
    holes[1] = number
    return [new Map([[number, new Set(place)]]), new Date(number), -0, holes, 1n << 70n]
  },
  'array in an object': (...place) => ({ data: arrayOf('float32', [place.length, 0.5]), place }),
  'typed array': (...place) => arrayOf('int16', [anyElement('int16', ...place), place.length]),
  'long typed array': (...place) => {
    const array = new Float64Array(LONG_BYTES / 8).fill(scrambled(...place))
    array[LONG_BYTES / 16] = -0
    return array
  },
  'empty typed array': () => new Uint8Array(0),
} as const satisfies Record<string, Make>

/** One of them. */
export type ContentName = keyof typeof contents
/** The sorts of values that travel, by name. */
export const contentNames = Object.keys(contents) as readonly ContentName[]
