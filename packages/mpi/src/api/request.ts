import type { Status } from '../p2p/status.js'

/**
 * An operation that has been started (MPI 4.1, section 3.7). Waiting and awaiting may be repeated
 * and give the same result. A request that is never looked at is reported when the program ends.
 *
 * An async function that returns a request returns its result, since the language awaits it:
 * return it inside an array.
 */
export interface Request<T> extends PromiseLike<T> {
  /** Blocks until complete; throws what the operation failed with. */
  wait(): T
  /** Whether it is complete; `wait()` then returns at once. Progresses everything of the rank. */
  test(): boolean
  /** What became of the message, once complete. */
  readonly status: Status
  /** Takes back a receive that has not matched; `status.cancelled` then says so. */
  cancel(): void
  /** Lets go of it: it completes by itself. */
  free(): void
}

export type { PersistentRequest } from '../p2p/persistent-request.js'
