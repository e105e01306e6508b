import { ArgumentError, InStatusError, RequestError } from '../errors/index.js'
import type { Waitable } from '../device/waitable.js'
import type { OperationName, OperationRecord } from '../record/operation.js'
import type { Wait } from '../record/rank-snapshot.js'
import { firstOf } from '../record/waits.js'
import { Request } from './request.js'
import type { Status } from './status.js'

/** What a waitAny, waitSome, testAny or testSome delivers: once for each request. */
export interface Completion {
  /** Place in the list that was given. */
  index: number
  /** What `wait` of that request returns. */
  value: unknown
  status: Status
}

type Values<R extends readonly PromiseLike<unknown>[]> = {
  -readonly [K in keyof R]: R[K] extends PromiseLike<infer T> ? T : never
}

/** Several requests of one rank, waited for together. */
class RequestSet implements Waitable {
  onDone: (() => void) | undefined
  readonly #name: OperationName
  readonly #requests: readonly Request<unknown>[]
  readonly #any: boolean
  /** Requests that are done, from the first on: they stay so, and are not asked again. */
  #done = 0

  constructor(name: OperationName, requests: readonly Request<unknown>[], any: boolean) {
    this.#name = name
    this.#requests = requests
    this.#any = any
  }

  get done(): boolean {
    const requests = this.#requests
    if (this.#any) return requests.some(isDeliverable)
    while (this.#done < requests.length && requests[this.#done]!.done) this.#done++
    return this.#done === requests.length
  }

  missing(): Wait {
    const open = this.#requests.filter((request) => !request.done)
    const waits = open.map((request) => request.missing())
    return this.#any ? firstOf(waits) : { mode: 'and', arcs: waits.flatMap(({ arcs }) => arcs) }
  }

  describe(): OperationRecord {
    const first = this.#requests.find((request) => !request.done)
    const { site: _, ...facts } = first?.describe() ?? { communicator: '', sequence: 0 }
    return { ...facts, name: this.#name }
  }
}

/**
 * Waits for all of them (MPI 4.1, section 3.7.5).
 *
 * @returns what each gives, in the order of the list
 * @throws InStatusError when some failed, with the error of each
 * @example
 * const [left, right] = waitAll([world.irecv<number>({ source: 0 }), world.irecv<number>({ source: 1 })])
 */
export function waitAll<const R extends readonly PromiseLike<unknown>[]>(requests: R): Values<R> {
  checkList(requests)
  const { length } = requests
  const values = new Array<unknown>(length)
  let failed = false
  for (let index = 0; index < length; index++) {
    const request = requests[index]
    if (!(request instanceof Request) || request.freed || isStrange(request, requests)) {
      throw unusable(requests, index, 'waitAll')
    }
    if (!request.done) {
      request.process.carrier.block(new RequestSet('waitAll', checked(requests, 'waitAll'), false))
    }
    if (request.error === undefined) values[index] = request.wait()
    else failed = true
  }
  if (failed) throw inStatus(checked(requests, 'waitAll'), 'waitAll')
  return values as Values<R>
}

/**
 * Waits until one of them is complete that has not been delivered yet (MPI 4.1, section 3.7.5).
 *
 * @returns its completion, or `undefined` when all have been delivered
 */
export function waitAny(requests: readonly PromiseLike<unknown>[]): Completion | undefined {
  const list = checked(requests, 'waitAny')
  if (list.every((request) => request.delivered)) return undefined
  block(list, 'waitAny')
  return deliverOne(list)
}

/** Waits until at least one is complete; delivers all that are. Empty when none is left. */
export function waitSome(requests: readonly PromiseLike<unknown>[]): Completion[] {
  const list = checked(requests, 'waitSome')
  if (list.every((request) => request.delivered)) return []
  block(list, 'waitSome')
  return deliverAll(list)
}

/** Whether all are complete; `waitAll` then returns at once. Progresses everything of the rank. */
export function testAll(requests: readonly PromiseLike<unknown>[]): boolean {
  const list = checked(requests, 'testAll')
  if (list.every((request) => request.done)) return true
  list[0]!.process.carrier.poll()
  return list.every((request) => request.done) && list[0]!.process.carrier.admits('test')
}

/** The completion of one that is complete and not delivered yet, if there is any. */
export function testAny(requests: readonly PromiseLike<unknown>[]): Completion | undefined {
  const list = checked(requests, 'testAny')
  return pollDeliverable(list) ? deliverOne(list) : undefined
}

/** The completions of all that are complete and not delivered yet. */
export function testSome(requests: readonly PromiseLike<unknown>[]): Completion[] {
  const list = checked(requests, 'testSome')
  return pollDeliverable(list) ? deliverAll(list) : []
}

/** @throws ArgumentError when it is no array, such as a single request */
export function checkList(requests: unknown): void {
  if (Array.isArray(requests)) return
  const expected = 'an array of requests'
  throw new ArgumentError({ argument: 'requests', seen: requests, expected })
}

function checked(requests: readonly unknown[], operation: string): readonly Request<unknown>[] {
  checkList(requests)
  for (let index = 0; index < requests.length; index++) {
    const request = requests[index]
    if (!(request instanceof Request) || request.freed || isStrange(request, requests)) {
      throw unusable(requests, index, operation)
    }
  }
  return requests as readonly Request<unknown>[]
}

/** Whether it is of another process than the first of the list. */
function isStrange(request: Request<unknown>, requests: readonly unknown[]): boolean {
  return request.process !== (requests[0] as Request<unknown>).process
}

function unusable(requests: readonly unknown[], index: number, operation: string): RequestError {
  const request = requests[index]
  const isFreed = request instanceof Request && request.freed
  return new RequestError({ operation, problem: isFreed ? 'freed' : 'foreign', index })
}

function isDeliverable(request: Request<unknown>): boolean {
  return request.done && !request.delivered
}

function block(list: readonly Request<unknown>[], name: OperationName): void {
  if (list.some(isDeliverable)) return
  const open = list.filter((request) => !request.delivered)
  open[0]!.process.carrier.block(new RequestSet(name, open, true))
}

function pollDeliverable(list: readonly Request<unknown>[]): boolean {
  if (list.length === 0) return false
  const carrier = list[0]!.process.carrier
  if (!list.some(isDeliverable)) carrier.poll()
  return list.some(isDeliverable) && carrier.admits('test')
}

function deliverOne(list: readonly Request<unknown>[]): Completion {
  const ready = list.filter(isDeliverable)
  const chosen = ready[ready[0]!.process.carrier.pick(ready.length, 'any')]!
  return deliver(chosen, list.indexOf(chosen))
}

function deliverAll(list: readonly Request<unknown>[]): Completion[] {
  return list.flatMap((request, index) => (isDeliverable(request) ? [deliver(request, index)] : []))
}

function deliver(request: Request<unknown>, index: number): Completion {
  request.delivered = true
  return { index, value: request.wait(), status: request.status }
}

function inStatus(list: readonly Request<unknown>[], operation: string): InStatusError {
  const failures = list.flatMap((request, index) => {
    request.observed = true
    return request.error === undefined ? [] : [{ index, error: request.error }]
  })
  return new InStatusError({ operation, failures, count: list.length })
}
