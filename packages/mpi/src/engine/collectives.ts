import { agree, type Call, type Form } from '../coll/agreement.js'
import { CollectiveRequest } from '../coll/collective-request.js'
import type { CollectiveOperation } from '../coll/operation.js'
import type { Algorithm, Environment } from '../coll/plan/algorithm.js'
import type { Blocks } from '../coll/plan/blocks.js'
import { MemoryBlocks } from '../coll/plan/memory-blocks.js'
import { collectives } from '../coll/plan/collective.js'
import { ScheduleCache, type Schedule } from '../coll/plan/schedule.js'
import { ValueBlocks } from '../coll/plan/value-blocks.js'
import { blocksFor, select, type NamedAlgorithms, type Question } from '../coll/select/select.js'
import type { CommunicatorState } from '../comm/communicator-state.js'
import { NO_KIND } from '../datatype/index.js'
import { ArgumentError, RootError, SharedThreadError } from '../errors/index.js'
import type { Op } from '../op/index.js'
import { PersistentRequest } from '../p2p/persistent-request.js'
import type { Request } from '../p2p/request.js'
import { NONE } from '../record/operation-log.js'
import { TraceFlag } from '../record/trace.js'
import { checkOpen } from './arguments.js'
import { hand } from './calls.js'
import { CollectiveMemory, type MemoryArguments } from './collective-memory.js'
import { CollectiveMessages } from './collective-messages.js'
import { inputOf, NO_VALUES, resultOf } from './collective-values.js'
import type { Payloads } from './payloads.js'
import type { Rank } from './rank.js'

/** Ranks up to which everybody looking at everybody in shared memory is the quickest. */
const SHARING_RANKS_MAX = 128

/** What a collective was called with, besides the buffers of memory. */
export interface CollectiveOptions {
  /** Rank of the root, of those that have one; 0 when left out. */
  readonly root?: number
  /** Algorithm for this call, `name`, `name:radix` or one's own; what the table says when left out. */
  readonly algorithm?: string | Algorithm
}

/** Collectives as the face asks for them: arguments checked, an algorithm chosen, then carried out. */
export class Collectives {
  readonly #rank: Rank
  readonly #messages: CollectiveMessages
  readonly #memory: CollectiveMemory
  readonly #schedules = new ScheduleCache()
  readonly #named: NamedAlgorithms

  constructor(rank: Rank, payloads: Payloads, named: NamedAlgorithms) {
    this.#rank = rank
    this.#messages = new CollectiveMessages(rank, payloads)
    this.#memory = new CollectiveMemory(rank, payloads)
    this.#named = named
  }

  /** A collective of values. */
  values(
    on: CommunicatorState,
    operation: CollectiveOperation,
    given: unknown,
    op: Op | undefined,
    options: CollectiveOptions | undefined,
    form: Form,
  ): unknown {
    if (form === 'blocking') {
      this.#needThread(operation)
      return this.#startValues(on, operation, given, op, options, form).take()
    }
    if (form === 'started') {
      return hand(this.#rank, this.#startValues(on, operation, given, op, options, form))
    }
    const root = rootOf(on, operation, options)
    inputOf(on, operation, given, root, op)
    return new PersistentRequest(`${operation.name}Init`, () =>
      hand(this.#rank, this.#startValues(on, operation, given, op, options, form)),
    )
  }

  /** A collective of memory. */
  memory(
    on: CommunicatorState,
    operation: CollectiveOperation,
    given: MemoryArguments,
    op: Op | undefined,
    options: CollectiveOptions | undefined,
    form: Form,
  ): unknown {
    if (form === 'blocking') {
      this.#needThread(operation)
      return this.#startMemory(on, operation, given, op, options, form).take()
    }
    if (form === 'started') {
      return hand(this.#rank, this.#startMemory(on, operation, given, op, options, form))
    }
    const root = rootOf(on, operation, options)
    this.#memory.resolve(on, operation, given, root, op)
    return new PersistentRequest(`${operation.name}Init`, () =>
      hand(this.#rank, this.#startMemory(on, operation, given, op, options, form)),
    )
  }

  #startValues(
    on: CommunicatorState,
    operation: CollectiveOperation,
    given: unknown,
    op: Op | undefined,
    options: CollectiveOptions | undefined,
    form: Form,
  ): Request<unknown> {
    const root = rootOf(on, operation, options)
    const input = inputOf(on, operation, given, root, op)
    const question: Question = {
      collective: operation.collective,
      size: on.size,
      values: true,
      bytes: 0,
      commutative: op?.commutative ?? true,
      sharedMemory: sharesMemory(on),
      knownBlocks: true,
      equalBlocks: true,
    }
    const choice = select(question, options?.algorithm, this.#named)
    const slots = choice.algorithm.needs.sharedMemory === true
    const blocks = blocksFor(choice, question, slots, { bytes: 0, items: 1 })
    const schedule = this.#schedule(on, root, choice, blocks, slots, false)
    const number = on.collectives++
    const call: Call = { operation, form, root, op, kind: NO_KIND, count: -1 }
    this.#agree(on, number, call)
    const values =
      operation.collective === 'barrier'
        ? NO_VALUES
        : new ValueBlocks(this.#messages, on, schedule, on.board, number, {
            ...input,
            op,
          })
    return this.#begin(on, schedule, values, number, call, resultOf(on, operation, root))
  }

  #startMemory(
    on: CommunicatorState,
    operation: CollectiveOperation,
    given: MemoryArguments,
    op: Op | undefined,
    options: CollectiveOptions | undefined,
    form: Form,
  ): Request<unknown> {
    const root = rootOf(on, operation, options)
    const resolved = this.#memory.resolve(on, operation, given, root, op)
    const question: Question = {
      collective: operation.collective,
      size: on.size,
      values: false,
      bytes: resolved.ruleBytes,
      commutative: op?.commutative ?? true,
      sharedMemory: sharesMemory(on),
      knownBlocks: resolved.knownBlocks,
      equalBlocks: !operation.listed,
    }
    const choice = select(question, options?.algorithm, this.#named)
    const slots =
      choice.algorithm.needs.sharedMemory === true && resolved.slotBytes <= on.board!.slotBytes
    const blocks = blocksFor(choice, question, slots, resolved.vector)
    const schedule = this.#schedule(on, root, choice, blocks, slots, resolved.aliased)
    const number = on.collectives++
    const call: Call = { operation, form, root, op, kind: resolved.kind, count: resolved.count }
    this.#agree(on, number, call)
    const binding = this.#memory.bind(on, resolved, op, blocks, form !== 'blocking')
    const memory = new MemoryBlocks(this.#messages, on, schedule, on.board, number, binding)
    return this.#begin(on, schedule, memory, number, call, nothing)
  }

  #schedule(
    on: CommunicatorState,
    root: number,
    { algorithm, radix }: ReturnType<typeof select>,
    blocks: number,
    slots: boolean,
    inPlace: boolean,
  ): Schedule {
    const env: Environment = { size: on.size, rank: on.rank, root, blocks, radix, slots }
    return this.#schedules.find(algorithm, env, inPlace)
  }

  #agree(on: CommunicatorState, number: number, call: Call): void {
    if (on.board !== undefined) agree(on, on.board, number, call)
  }

  #begin<B extends Blocks, T>(
    on: CommunicatorState,
    schedule: Schedule,
    blocks: B,
    number: number,
    call: Call,
    finish: (blocks: B) => T,
  ): Request<T> {
    const { log, trace } = this.#rank
    const { operation, form, root, kind } = call
    const blocking = form === 'blocking'
    const { code, iCode, name, iName, traceFlag } = operation
    const request = new CollectiveRequest(
      this.#messages,
      on,
      schedule,
      blocks,
      on.board,
      number,
      blocking ? name : iName,
      call,
      finish,
    )
    const context = on.collectiveContext
    request.sequence = log.count
    const rooted = collectives[operation.collective].rooted
    log.add(blocking ? code : iCode, rooted ? root : NONE, NONE, context, 0, kind)
    const flags = traceFlag | (blocking ? TraceFlag.blocking : 0)
    const worldRoot = rooted ? on.worldRank(root) : -1
    const traced = trace.collective(
      blocking ? code : iCode,
      flags,
      worldRoot,
      context,
      number,
      on.size,
    )
    // A blocking collective is one entry, with its wait.
    if (!blocking) request.traced = traced
    request.advance()
    return request
  }

  #needThread({ name, iName }: CollectiveOperation): void {
    if (this.#rank.carrier.blocks) return
    const instead = `await world.${iName}(${name === 'barrier' ? '' : '...'})`
    throw new SharedThreadError({ operation: name, instead })
  }
}

function nothing(): void {}

function sharesMemory(on: CommunicatorState): boolean {
  return on.board !== undefined && on.size <= SHARING_RANKS_MAX
}

/** The root, checked; 0 of collectives that have none. */
function rootOf(
  on: CommunicatorState,
  operation: CollectiveOperation,
  options: CollectiveOptions | undefined,
): number {
  checkOpen(on)
  const root = options?.root ?? 0
  if (root === 0) return 0
  if (!collectives[operation.collective].rooted) {
    const expected = `left out: ${operation.name} has no root`
    throw new ArgumentError({ argument: 'root', seen: root, expected })
  }
  if ((root | 0) === root && root > 0 && root < on.size) return root
  throw new RootError({ root, communicator: on.name, size: on.size })
}
