import { WorldMemory } from '@commworld/transport'
import type { RegisteredMemory } from '../device/registered-memory.js'
import { MemoryUseError } from '../errors/index.js'
import { bytesOf, type TypedArray } from '../datatype/index.js'
import { RegisteredPayload } from './payload.js'

/** While most views are new, one of so many is remembered. */
const SAMPLE = 8
/** Calls over which hits and misses are compared. */
const WINDOW = 1024

/** A view, and the one that was used after it. */
class KnownView extends RegisteredPayload {
  nextArray: unknown = NO_ARRAY
  next: KnownView | undefined
}

/** Equal to nothing that is looked for. */
const NO_ARRAY = {}

/**
 * What is known of typed arrays on the world's memory. Asking an array itself for its buffer, offset
 * and length costs more than sending eight bytes, and programs use the same views again and again.
 * Those that are made anew for each call are not worth remembering: their misses tell.
 */
export class RegisteredViews {
  readonly #buffer: ArrayBufferLike
  readonly #registered: RegisteredMemory
  #known: WeakMap<object, KnownView> | undefined
  /** The view that was found last. It remembers which one followed it: programs repeat themselves. */
  #last = new KnownView(0, 0, 0)
  #misses = 0
  #hits = 0

  constructor(memory: WorldMemory, registered: RegisteredMemory) {
    this.#registered = registered
    this.#buffer = memory.buffer
  }

  /** What is known of a value, if it is a view that was used before. */
  find(value: unknown): RegisteredPayload | undefined {
    const last = this.#last
    if (last.nextArray === value) return (this.#last = last.next!)
    return this.#search(value, last)
  }

  #elsewhere(buffer: ArrayBufferLike): undefined {
    if (buffer instanceof SharedArrayBuffer && WorldMemory.isWorldMemory(buffer)) {
      throw new MemoryUseError({ problem: 'gone' })
    }
  }

  #search(value: unknown, last: KnownView): RegisteredPayload | undefined {
    const view = this.#known?.get(value as object)
    if (view === undefined) return undefined
    this.#hits++
    last.nextArray = value
    last.next = view
    this.#last = view
    return view
  }

  /** Memory was freed, and which views lie in it is not known. */
  forget(): void {
    this.#known = undefined
    this.#last = new KnownView(0, 0, 0)
  }

  /**
   * What there is to know of an array of this kind; `undefined` when it lies elsewhere.
   *
   * @throws MemoryUseError when it lies in a world's memory, but in no allocation of this rank
   */
  look(data: TypedArray, kind: number): RegisteredPayload | undefined {
    if (data.buffer !== this.#buffer) return this.#elsewhere(data.buffer)
    const view = new KnownView(kind, data.byteOffset, data.length * bytesOf(kind))
    if (this.#registered.keyOf(view.address, view.bytes) === 0) {
      throw new MemoryUseError({ problem: 'gone' })
    }
    if (this.#hits >= this.#misses || this.#misses % SAMPLE === 0)
      (this.#known ??= new WeakMap()).set(data, view)
    if (++this.#misses > WINDOW) {
      this.#misses >>>= 1
      this.#hits >>>= 1
    }
    return view
  }
}
