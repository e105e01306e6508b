import type { WorldMemory } from '@commworld/transport'
import { bytesOf, type TypedArray } from '../datatype/index.js'
import { RegisteredPayload } from './payload.js'

/** While most views are new, one of so many is remembered. */
const SAMPLE = 8
/** Calls over which hits and misses are compared. */
const WINDOW = 1024

/**
 * What is known of typed arrays on the world's memory. Asking an array itself for its buffer, offset
 * and length costs more than sending eight bytes, and programs use the same views again and again.
 * Those that are made anew for each call are not worth remembering: their misses tell.
 */
export class RegisteredViews {
  readonly #buffer: ArrayBufferLike
  readonly #known = new WeakMap<object, RegisteredPayload>()
  #misses = 0
  #hits = 0

  constructor(memory: WorldMemory) {
    this.#buffer = memory.buffer
  }

  /** What is known of a value, if it is a view that was used before. */
  find(value: unknown): RegisteredPayload | undefined {
    const view = this.#known.get(value as object)
    if (view !== undefined) this.#hits++
    return view
  }

  /** What there is to know of an array of this kind; `undefined` when it lies elsewhere. */
  look(data: TypedArray, kind: number): RegisteredPayload | undefined {
    if (data.buffer !== this.#buffer) return undefined
    const view = new RegisteredPayload(kind, data.byteOffset, data.length * bytesOf(kind))
    if (this.#hits >= this.#misses || this.#misses % SAMPLE === 0) this.#known.set(data, view)
    if (++this.#misses > WINDOW) {
      this.#misses >>>= 1
      this.#hits >>>= 1
    }
    return view
  }
}
