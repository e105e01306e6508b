import type { Mpi, TypedArray } from '@commworld/mpi'
import { classOf, type KindName } from '../arbitraries/element-types.js'

/**
 * Registered arrays of a world that are used again, the same objects: what the library knows of an array
 * from one call must be right in the next, which is another one.
 */
export class ArrayPool {
  readonly #mpi: Mpi
  readonly #free = new Map<string, TypedArray[]>()
  readonly #views = new WeakMap<TypedArray, Map<string, TypedArray>>()

  private constructor(mpi: Mpi) {
    this.#mpi = mpi
  }

  static readonly #of = new WeakMap<Mpi, ArrayPool>()

  static of(mpi: Mpi): ArrayPool {
    let pool = ArrayPool.#of.get(mpi)
    if (pool === undefined) ArrayPool.#of.set(mpi, (pool = new ArrayPool(mpi)))
    return pool
  }

  take(kind: KindName, length: number): TypedArray {
    const kept = this.#free.get(`${kind} ${length}`)?.pop()
    return kept ?? this.#mpi.alloc<TypedArray>(classOf(kind), length)
  }

  giveBack(kind: KindName, array: TypedArray): void {
    const key = `${kind} ${array.length}`
    const kept = this.#free.get(key)
    if (kept === undefined) this.#free.set(key, [array])
    else kept.push(array)
  }

  /** A part of an array, the same view each time. */
  view(array: TypedArray, first: number, end: number): TypedArray {
    let views = this.#views.get(array)
    if (views === undefined) this.#views.set(array, (views = new Map()))
    const key = `${first} ${end}`
    let view = views.get(key)
    if (view === undefined) views.set(key, (view = array.subarray(first, end)))
    return view
  }
}
