import { RequestError } from '../errors/index.js'
import { checkList } from './completions.js'
import type { Request } from './request.js'

/**
 * An operation set up once and started many times (MPI 4.1, section 3.9). It cannot be awaited
 * itself; what `start` returns can.
 *
 * @example
 * const halo = world.recvIntoInit(ghost, { source: left })
 * for (let step = 0; step < steps; step++) {
 *   const request = halo.start()
 *   // ...
 *   request.wait()
 * }
 * halo.free()
 */
export class PersistentRequest<T> {
  readonly #operation: string
  readonly #begin: () => Request<T>
  #active: Request<T> | undefined
  #freed = false

  constructor(operation: string, begin: () => Request<T>) {
    this.#operation = operation
    this.#begin = begin
  }

  /**
   * Starts the operation once more.
   *
   * @throws RequestError while the one started before is not complete, or after `free`
   */
  start(): Request<T> {
    if (this.#freed)
      throw new RequestError({ operation: `start of ${this.#operation}`, problem: 'freed' })
    if (this.#active !== undefined && !this.#active.done) {
      throw new RequestError({ operation: `start of ${this.#operation}`, problem: 'active' })
    }
    this.#active = this.#begin()
    return this.#active
  }

  /** Lets go of it; one that was started completes first. Freeing it twice is an error. */
  free(): void {
    if (this.#freed)
      throw new RequestError({ operation: `free of ${this.#operation}`, problem: 'freed' })
    this.#freed = true
  }
}

/** Starts all of them. */
export function startAll(requests: readonly PersistentRequest<unknown>[]): Request<unknown>[] {
  checkList(requests)
  return requests.map((request, index) => {
    if (!(request instanceof PersistentRequest)) {
      throw new RequestError({ operation: 'startAll', problem: 'not persistent', index })
    }
    return request.start()
  })
}
