import type { Form } from '../coll/agreement.js'
import type { CollectiveRequest } from '../coll/collective-request.js'
import {
  CREATE,
  CREATE_CART,
  CREATE_GROUP,
  DUP,
  SPLIT,
  SPLIT_TYPE,
  SUB,
  type CollectiveOperation,
} from '../coll/operation.js'
import type { Ground } from '../coll/plan/execution.js'
import type { ValueMessages } from '../coll/plan/value-blocks.js'
import type { CommunicatorState } from '../comm/communicator-state.js'
import type { CommunicatorTable } from '../comm/communicator-table.js'
import { TopologyError } from '../errors/index.js'
import { IN_PLACE } from '../p2p/sentinels.js'
import type { OperationRecord } from '../record/operation.js'
import { cartPlan, type CartOptions } from './create-cart.js'
import { checkPart, createPlan, groupsDiffer, partOf } from './create.js'
import { found, join, unfound } from './founding.js'
import { MakingRequest } from './making-request.js'
import { nameOfDup, type Membership } from './membership.js'
import type { Plan } from './plan.js'
import { splitPlan, splitTypePlan, type SplitOptions, type SplitTypeOptions } from './split.js'
import { spread, type Part } from './spread.js'
import { subPlan } from './sub.js'
import { rowOf, Table } from './table.js'

/** A communicator that a program asks for, with what it gave; checked as far as the types go. */
export type Order =
  | { readonly by: 'dup' }
  | { readonly by: 'split'; readonly options: SplitOptions }
  | { readonly by: 'splitType'; readonly options: SplitTypeOptions }
  | { readonly by: 'create'; readonly members: readonly number[] }
  | { readonly by: 'createGroup'; readonly members: readonly number[]; readonly tag: number }
  | { readonly by: 'createCart'; readonly options: CartOptions }
  | { readonly by: 'sub'; readonly keep: readonly boolean[] }

/** Blocking and non-blocking; there are no persistent ones (MPI 4.1, section 7.4.2). */
export type MakingForm = Exclude<Form, 'persistent'>

/** What making communicators stands on. */
export interface MakerGround {
  readonly messages: Ground & ValueMessages
  readonly communicators: CommunicatorTable
  readonly slotBytes: number
  /** Begins a collective, the next of its communicator. */
  begin(
    on: CommunicatorState,
    operation: CollectiveOperation,
    given: unknown,
    form: Form,
  ): CollectiveRequest<unknown>
  /** Notes a call among some members, or nobody, which is none of the collectives of the communicator. */
  note(
    on: CommunicatorState,
    operation: CollectiveOperation,
    members: readonly number[],
    form: Form,
  ): NotedCall
}

export interface NotedCall {
  /** The call as reports name it. */
  readonly record: OperationRecord
  /** Its entry in the trace. */
  readonly traced: number
  /** The members are told apart from other ones by the communicator that they have made. */
  met(made: CommunicatorState): void
}

export const operationOf: Readonly<Record<Order['by'], CollectiveOperation>> = {
  dup: DUP,
  split: SPLIT,
  splitType: SPLIT_TYPE,
  create: CREATE,
  createGroup: CREATE_GROUP,
  createCart: CREATE_CART,
  sub: SUB,
}

/**
 * Makes communicators (MPI 4.1, section 7.4). First the ranks that call tell each other their
 * arguments, unless each knows already who will be in it. Then rank 0 of the new communicator takes
 * context ids and a board for it and tells the members.
 */
export class Maker {
  readonly #ground: MakerGround

  constructor(ground: MakerGround) {
    this.#ground = ground
  }

  /** `as` makes what the program holds of the communicator, or of nothing where this rank is in none. */
  make<T>(
    on: CommunicatorState,
    order: Order,
    form: MakingForm,
    as: (made: CommunicatorState | undefined) => T,
  ): MakingRequest<T> {
    if (order.by === 'dup') return this.#dup(on, form, as)
    if (order.by === 'createGroup') return this.#amongMembers(on, order, form, as)
    const operation = operationOf[order.by]
    return this.#agreed(on, operation, planOf(on, order, named(operation, form)), form, as)
  }

  /** All know who is in it. */
  #dup<T>(
    on: CommunicatorState,
    form: MakingForm,
    as: (made: CommunicatorState | undefined) => T,
  ): MakingRequest<T> {
    const { rank, size, grid } = on
    const membership = { name: nameOfDup(on), members: on.members(), rank, grid }
    const founded = rank === 0 ? this.#found(size) : undefined
    const first = this.#begin(
      () => this.#ground.begin(on, DUP, founded, form),
      () => founded && unfound(this.#ground.messages.process.memory, founded),
    )
    const request = this.#requestOf<T>(first)
    request.follow(first, (told) => request.end(as(this.#join(told as Float64Array, membership))))
    return request
  }

  /** Each member knows who is in it, and nobody else need know of it. */
  #amongMembers<T>(
    on: CommunicatorState,
    { members, tag }: { readonly members: readonly number[]; readonly tag: number },
    form: MakingForm,
    as: (made: CommunicatorState | undefined) => T,
  ): MakingRequest<T> {
    checkPart(on, members)
    const membership = partOf(on, members, 'group')
    const { process } = this.#ground.messages
    const called = membership === undefined ? [] : members
    const call = this.#ground.note(on, CREATE_GROUP, called, form)
    const request = new MakingRequest<T>(process, () => call.record)
    if (form === 'started') request.traced = call.traced
    if (membership === undefined) {
      request.end(as(undefined))
      return request
    }
    const own = rowOf(members)
    const part = { on, membership, context: on.makingContext, tag }
    const value =
      membership.rank === 0 ? Float64Array.of(...own, ...this.#found(members.length)) : undefined
    request.follow(spread(this.#ground.messages, part, CREATE_GROUP, form, value), (told) => {
      const theirs = Array.from(told.subarray(0, own.length))
      if (theirs.some((number, index) => number !== own[index])) {
        const peer = on.rankOf(members[0]!)
        const operation = named(CREATE_GROUP, form)
        throw groupsDiffer(on, operation, { number: undefined, members, peer, told: theirs })
      }
      const made = this.#join(told.subarray(own.length), membership)
      call.met(made)
      request.end(as(made))
    })
    return request
  }

  /** Who is in it is known when all have told what they want. */
  #agreed<T>(
    on: CommunicatorState,
    operation: CollectiveOperation,
    plan: Plan,
    form: MakingForm,
    as: (made: CommunicatorState | undefined) => T,
  ): MakingRequest<T> {
    const { messages } = this.#ground
    const { process, endpoint } = messages
    const told = new Table(process.memory, endpoint, on.rank, on.size, plan.tells)
    const first = this.#begin(
      () => this.#ground.begin(on, operation, { send: IN_PLACE, recv: told.numbers }, form),
      () => told.free(),
    )
    const request = this.#requestOf<T>(first)
    const next = (): void => {
      const membership = plan.membership(told, first.number)
      if (membership === undefined) return request.end(as(undefined))
      // Behind the messages of the collective that has just ended, where there were any.
      const part: Part = { on, membership, context: on.collectiveContext, tag: first.number }
      const founded = membership.rank === 0 ? this.#found(membership.members.length) : undefined
      request.follow(spread(messages, part, operation, form, founded), (facts) =>
        request.end(as(this.#join(facts, membership))),
      )
    }
    request.follow(first, next, () => told.free())
    return request
  }

  #requestOf<T>(first: CollectiveRequest<unknown>): MakingRequest<T> {
    const request = new MakingRequest<T>(first.process, () => first.describe())
    request.traced = first.traced
    return request
  }

  /** What was taken for it goes back when the ranks do not call the same. */
  #begin<R>(begin: () => R, undo: () => void): R {
    try {
      return begin()
    } catch (error) {
      undo()
      throw error
    }
  }

  #found(size: number): Float64Array {
    const { messages, slotBytes } = this.#ground
    return found(messages.process.memory, size, slotBytes)
  }

  #join(founded: Float64Array, membership: Membership): CommunicatorState {
    const { messages, communicators, slotBytes } = this.#ground
    const { process, endpoint } = messages
    const made = join(process.memory, endpoint, slotBytes, founded, membership)
    communicators.add(made)
    return made
  }
}

function planOf(
  on: CommunicatorState,
  order: Exclude<Order, { by: 'dup' } | { by: 'createGroup' }>,
  name: string,
): Plan {
  switch (order.by) {
    case 'split':
      return splitPlan(on, order.options)
    case 'splitType':
      return splitTypePlan(on, order.options)
    case 'create':
      return createPlan(on, order.members, name)
    case 'createCart':
      return cartPlan(on, order.options, name)
    case 'sub': {
      if (on.grid === undefined) {
        throw new TopologyError({ communicator: on.name, expected: 'a Cartesian topology' })
      }
      return subPlan(on, on.grid, order.keep, name)
    }
  }
}

function named({ name, iName }: CollectiveOperation, form: MakingForm): string {
  return form === 'blocking' ? name : iName
}
