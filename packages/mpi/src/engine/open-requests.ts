import type { Request } from '../p2p/request.js'

/** Requests kept before the first look for those that the program has dealt with. */
const KEPT_MIN = 1024

/**
 * The requests that a program was given and has not looked at yet, for the report at finalize. An
 * append is all that it costs; now and then those that were looked at are dropped.
 */
export class OpenRequests {
  #requests: Request<unknown>[] = []
  #limit = KEPT_MIN

  add(request: Request<unknown>): void {
    this.#requests.push(request)
    if (this.#requests.length >= this.#limit) this.#drop()
  }

  /** Requests that were never waited for, awaited, tested to completion or freed. */
  unobserved(): readonly Request<unknown>[] {
    this.#drop()
    return this.#requests
  }

  #drop(): void {
    this.#requests = this.#requests.filter((request) => !request.observed)
    this.#limit = Math.max(KEPT_MIN, 2 * this.#requests.length)
  }
}
