import type { Form } from '../../coll/agreement.js'
import type { CollectiveOperation } from '../../coll/operation.js'
import type { CommunicatorState } from '../../comm/communicator-state.js'
import { NO_KIND } from '../../datatype/index.js'
import { CommunicatorError, SharedThreadError } from '../../errors/index.js'
import {
  Maker,
  operationOf,
  type MakingForm,
  type NotedCall,
  type Order,
} from '../../manage/index.js'
import type { Request } from '../../p2p/request.js'
import { NONE } from '../../record/operation-log.js'
import { TraceFlag } from '../../record/trace.js'
import { checkOpen, tagToSend } from '../arguments.js'
import { hand } from '../calls.js'
import { CollectiveMessages } from './collective-messages.js'
import type { Collectives } from './collectives.js'
import type { Payloads } from '../messages/payloads.js'
import type { Rank } from '../rank.js'

/** Communicators as the face asks for them and gives them back. */
export class Making {
  readonly #rank: Rank
  readonly #maker: Maker

  constructor(rank: Rank, payloads: Payloads, collectives: Collectives) {
    const { communicators, slotBytes } = rank
    this.#rank = rank
    this.#maker = new Maker({
      messages: new CollectiveMessages(rank, payloads),
      communicators,
      slotBytes,
      begin: (on, operation, given, form) => collectives.begin(on, operation, given, form),
      note: (on, operation, members, form) => this.#note(on, operation, members, form),
    })
  }

  /** @throws SharedThreadError for a blocking form on a thread that ranks share, before anything is sent */
  make<T>(
    on: CommunicatorState,
    order: Order,
    form: MakingForm,
    as: (made: CommunicatorState | undefined) => T,
  ): Request<T> {
    if (form === 'blocking' && !this.#rank.carrier.blocks) throw sharedThread(order)
    checkOpen(on)
    if (order.by === 'createGroup') tagToSend(order.tag, 'tag')
    const request = this.#maker.make(on, order, form, as)
    return form === 'blocking' ? request : hand(this.#rank, request)
  }

  /** What was begun on it completes; then the last of its ranks gives back what it has. */
  free(on: CommunicatorState): void {
    checkOpen(on)
    const { world, self, communicators } = this.#rank
    if (on === world || on === self) {
      const problem = 'is there from the beginning of a program to its end, and cannot be freed'
      throw new CommunicatorError({ communicator: on.name, problem })
    }
    on.closed = 'was freed'
    on.board?.close(on.collectives)
    on.remembered.length = 0
    communicators.remove(on)
  }

  #note(
    on: CommunicatorState,
    operation: CollectiveOperation,
    members: readonly number[],
    form: Form,
  ): NotedCall {
    const { log, trace } = this.#rank
    const blocking = form === 'blocking'
    const code = blocking ? operation.code : operation.iCode
    const sequence = log.count
    const context = on.makingContext
    log.add(code, NONE, NONE, context, 0, NO_KIND)
    const flags = operation.traceFlag | (blocking ? TraceFlag.blocking : 0)
    const [leader] = members
    const traced =
      leader === undefined ? -1 : trace.collective(code, flags, leader, -1, 0, members.length)
    const name = blocking ? operation.name : operation.iName
    return {
      record: { name, communicator: on.name, context, sequence },
      traced,
      met: ({ makingContext }) => trace.metIn(traced, makingContext),
    }
  }
}

function sharedThread(order: Order): SharedThreadError {
  const { name, iName } = operationOf[order.by]
  const instead = `await ${order.by === 'sub' ? 'grid' : 'world'}.${iName}(${order.by === 'dup' ? '' : '...'})`
  return new SharedThreadError({ operation: name, instead })
}
