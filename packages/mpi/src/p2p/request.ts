import { RequestError } from '../errors/index.js'
import type { Waitable } from '../device/waitable.js'
import type { CallSite } from '../record/call-sites.js'
import type { OperationRecord } from '../record/operation.js'
import type { Wait } from '../record/rank-snapshot.js'
import { operationCode, TraceFlag } from '../record/trace.js'
import type { Process } from './process.js'
import type { Status } from './status.js'

const WAIT = operationCode('wait')
const AWAIT = operationCode('await')

/**
 * An operation that has been started (MPI 4.1, section 3.7). Wait for it, test it, or `await` it;
 * waiting and awaiting may be repeated and give the same result.
 *
 * @typeParam T what the operation gives: nothing for a send, a `Status` for a receive into
 * memory, the value for a receive of a value
 *
 * @example
 * const request = world.irecv<number>({ source: 0 })
 * const value = await request // or request.wait()
 */
export abstract class Request<T> implements PromiseLike<T>, Waitable {
  // Declared here and assigned in the constructor, as in all classes of requests: field definitions
  // would more than double what an object costs.
  declare done: boolean
  /** What went wrong; thrown by `wait`, `test` and `await`. */
  declare error: Error | undefined
  /** Whether the program has looked: waited, awaited, or tested with the answer yes. */
  declare observed: boolean
  /** Whether a waitAny, waitSome, testAny or testSome has delivered it. */
  declare delivered: boolean
  /** Whether the program has let go of it. */
  declare freed: boolean
  declare onDone: (() => void) | undefined
  declare site: CallSite | undefined
  /** Its entry in the trace, where waiting for it is recorded as well; -1 when it is not traced. */
  declare traced: number
  declare readonly process: Process

  constructor(process: Process) {
    this.process = process
    this.done = false
    this.error = undefined
    this.observed = false
    this.delivered = false
    this.onDone = undefined
    this.site = undefined
    this.freed = false
    this.traced = -1
  }

  /**
   * Blocks until it is complete.
   *
   * @throws what the operation failed with
   * @throws SharedThreadError on a thread shared by several ranks, unless it is complete
   */
  wait(): T {
    if (this.freed) throw new RequestError({ operation: 'wait', problem: 'freed' })
    this.observed = true
    if (!this.done) this.process.carrier.block(this)
    if (this.traced >= 0) this.process.trace.wait(WAIT, 0, this.traced)
    return this.take()
  }

  /** What `wait` does in verbs that block anyway, whose waiting is part of their entry in the trace. */
  take(): T {
    if (!this.done) this.process.carrier.block(this)
    if (this.error !== undefined) throw this.error
    return this.result()
  }

  /** Whether it is complete; `wait()` then returns at once. Progresses everything of the rank. */
  test(): boolean {
    if (this.freed) throw new RequestError({ operation: 'test', problem: 'freed' })
    const { carrier } = this.process
    if (!this.done) carrier.poll()
    if (!this.done || !carrier.admits('test')) return false
    this.observed = true
    this.process.trace.wait(WAIT, TraceFlag.choice, this.traced)
    if (this.error !== undefined) throw this.error
    return true
  }

  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    if (this.freed) throw new RequestError({ operation: 'await', problem: 'freed' })
    this.observed = true
    return new Promise<T>((resolve, reject) => {
      const settle = (): void => {
        // Which of several awaits comes back first is the run's choice.
        this.process.trace.wait(AWAIT, TraceFlag.choice, this.traced)
        if (this.error === undefined) resolve(this.result())
        else reject(this.error)
      }
      if (this.done) settle()
      else this.#chain(settle)
    }).then(onFulfilled, onRejected)
  }

  /** The status of the completed operation; asking for it earlier is an error. */
  abstract get status(): Status

  /** Asks to take the operation back; only a receive that has not matched can be cancelled. */
  abstract cancel(): void

  /**
   * Lets go of the request: the operation completes by itself (MPI 4.1, section 3.7.3).
   *
   * @throws RequestError when that was done before
   */
  free(): void {
    if (this.freed) throw new RequestError({ operation: 'free', problem: 'freed' })
    this.freed = true
    this.observed = true
  }

  /** What `wait` returns. Precondition: done, without an error. */
  protected abstract result(): T

  abstract missing(): Wait
  abstract describe(): OperationRecord

  /** Marks it complete and tells whoever awaits it. */
  complete(): void {
    this.done = true
    if (this.onDone !== undefined) this.#tell()
  }

  fail(error: Error): void {
    this.error = error
    this.complete()
  }

  #tell(): void {
    const onDone = this.onDone!
    this.onDone = undefined
    onDone()
  }

  #chain(settle: () => void): void {
    const before = this.onDone
    this.onDone =
      before === undefined
        ? settle
        : () => {
            before()
            settle()
          }
    if (before === undefined) this.process.carrier.awaken(this)
  }
}
