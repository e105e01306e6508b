import type { Request } from '../../p2p/request.js'

/** Requests kept before the first look for those that the program has dealt with. */
const KEPT_MIN = 128

/**
 * The requests that a program was given and has not looked at yet, for the report at finalize. A
 * store is all that it costs; now and then those that were looked at are dropped.
 */
export class OpenRequests {
  readonly #requests: (Request<unknown> | undefined)[] = []
  #count = 0
  #limit = KEPT_MIN

  add(request: Request<unknown>): void {
    const requests = this.#requests
    let count = this.#count
    // What came last is mostly dealt with first: it need not be kept any longer.
    while (count > 0 && requests[count - 1]!.observed) count--
    requests[count] = request
    this.#count = count + 1
    if (this.#count === this.#limit) this.#drop()
  }

  /** Requests that were never waited for, awaited, tested to completion or freed. */
  unobserved(): readonly Request<unknown>[] {
    this.#drop()
    return this.#requests.slice(0, this.#count) as Request<unknown>[]
  }

  #drop(): void {
    const requests = this.#requests
    let kept = 0
    for (let index = 0; index < this.#count; index++) {
      const request = requests[index]!
      if (!request.observed) requests[kept++] = request
    }
    requests.fill(undefined, kept, this.#count)
    this.#count = kept
    this.#limit = Math.max(KEPT_MIN, 2 * kept)
  }
}
