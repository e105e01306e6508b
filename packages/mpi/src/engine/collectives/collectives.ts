import type { Call, Form } from '../../coll/agreement.js'
import { CallPlan } from '../../coll/call-plan.js'
import { CollectiveRequest } from '../../coll/collective-request.js'
import type { CollectiveOperation } from '../../coll/operation.js'
import type { Algorithm, Environment } from '../../coll/plan/algorithm.js'
import type { Blocks } from '../../coll/plan/blocks.js'
import { collectives } from '../../coll/plan/collective.js'
import { MemoryBlocks } from '../../coll/plan/memory-blocks.js'
import { ScheduleCache } from '../../coll/plan/schedule-cache.js'
import type { Schedule } from '../../coll/plan/schedule.js'
import { ValueBlocks } from '../../coll/plan/value-blocks.js'
import { SHARING_RANKS_MAX } from '../../device/board.js'
import { algorithmNamed } from '../../coll/select/registry.js'
import {
  blocksFor,
  select,
  type Choice,
  type NamedAlgorithms,
  type Question,
} from '../../coll/select/select.js'
import type { CommunicatorState } from '../../comm/communicator-state.js'
import { NO_KIND } from '../../datatype/index.js'
import { ArgumentError, RootError, SharedThreadError } from '../../errors/index.js'
import type { Op } from '../../op/index.js'
import { PersistentRequest } from '../../p2p/persistent-request.js'
import { NONE } from '../../record/operation-log.js'
import { checkOpen } from '../arguments.js'
import { hand } from '../calls.js'
import {
  CollectiveMemory,
  KnownCall,
  type MemoryArguments,
  type ResolvedCall,
} from './collective-memory.js'
import { CollectiveMessages } from './collective-messages.js'
import { inputOf, NO_VALUES, resultOf, type GivenValues } from './collective-values.js'
import type { Payloads } from '../messages/payloads.js'
import type { Rank } from '../rank.js'

/** What a collective was called with, besides its buffers. */
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
  readonly #schedules = new ScheduleCache(isLibrarys)
  readonly #named: NamedAlgorithms

  constructor(rank: Rank, payloads: Payloads, named: NamedAlgorithms) {
    this.#rank = rank
    this.#messages = new CollectiveMessages(rank, payloads)
    this.#memory = new CollectiveMemory(rank, payloads)
    this.#named = named
  }

  /** A collective of values, in one of its forms. */
  values(
    on: CommunicatorState,
    operation: CollectiveOperation,
    given: unknown,
    op: Op | undefined,
    options: CollectiveOptions | undefined,
    form: Form,
  ): unknown {
    if (form === 'blocking') {
      if (!this.#rank.carrier.blocks) throw sharedThread(operation)
      return this.#startValues(on, operation, given, op, options, form).finish()
    }
    if (form === 'started') {
      return hand(this.#rank, this.#startValues(on, operation, given, op, options, form))
    }
    const { root } = this.#planValues(on, operation, op, options, form).call
    inputOf(this.#rank.codec, on, operation, given, root, op)
    return new PersistentRequest(`${operation.name}Init`, () =>
      hand(this.#rank, this.#startValues(on, operation, given, op, options, form)),
    )
  }

  /** A collective of memory, in one of its forms. */
  memory(
    on: CommunicatorState,
    operation: CollectiveOperation,
    given: MemoryArguments,
    op: Op | undefined,
    options: CollectiveOptions | undefined,
    form: Form,
  ): unknown {
    if (form === 'blocking') {
      if (!this.#rank.carrier.blocks) throw sharedThread(operation)
      return this.#startMemory(on, operation, given, op, options, form).finish()
    }
    if (form === 'started') {
      return hand(this.#rank, this.#startMemory(on, operation, given, op, options, form))
    }
    this.#planMemory(on, operation, given, op, options, form)
    return new PersistentRequest(`${operation.name}Init`, () =>
      hand(this.#rank, this.#startMemory(on, operation, given, op, options, form)),
    )
  }

  /** Begins a collective whose request stays inside the library. */
  begin(
    on: CommunicatorState,
    operation: CollectiveOperation,
    given: unknown,
    form: Form,
  ): CollectiveRequest<unknown> {
    return operation.family === 'values'
      ? this.#startValues(on, operation, given, undefined, undefined, form)
      : this.#startMemory(on, operation, given as MemoryArguments, undefined, undefined, form)
  }

  #startValues(
    on: CommunicatorState,
    operation: CollectiveOperation,
    given: unknown,
    op: Op | undefined,
    options: CollectiveOptions | undefined,
    form: Form,
  ): CollectiveRequest<unknown> {
    checkOpen(on)
    const known = on.remembered[operation.number] as CallPlan | undefined
    const plan =
      known !== undefined && isAlike(known.call, op, options, form)
        ? known
        : this.#planValues(on, operation, op, options, form)
    if (operation.collective === 'barrier')
      return this.#begin(on, plan, NO_VALUES, on.collectives++)
    const input = inputOf(this.#rank.codec, on, operation, given, plan.call.root, op)
    const number = on.collectives++
    // Those of the last call, unless it is under way: an async program may be in several at once.
    const last = plan.idle === undefined ? undefined : plan.valueBlocks
    const blocks = last?.bind(number, input) ?? this.#blocksOf(on, plan, number, input, op)
    return this.#begin(on, plan, blocks, number)
  }

  #blocksOf(
    on: CommunicatorState,
    plan: CallPlan,
    number: number,
    input: GivenValues,
    op: Op | undefined,
  ): ValueBlocks {
    const blocks = new ValueBlocks(this.#messages, on, plan.schedule, number, input, op)
    plan.valueBlocks = blocks
    return blocks
  }

  #planValues(
    on: CommunicatorState,
    operation: CollectiveOperation,
    op: Op | undefined,
    options: CollectiveOptions | undefined,
    form: Form,
  ): CallPlan {
    const root = rootOf(on, operation, options)
    const question: Question = {
      collective: operation.collective,
      size: on.size,
      values: true,
      bytes: 0,
      commutative: op?.commutative ?? true,
      sharedMemory: this.#sharesMemory(on),
      knownBlocks: true,
      equalBlocks: true,
    }
    const choice = select(question, options?.algorithm, this.#named)
    const slots = choice.algorithm.needs.sharedMemory === true
    const blocks = blocksFor(choice, question, slots, { bytes: 0, items: 1 })
    const schedule = this.#schedule(on, root, choice, blocks, slots, false)
    const algorithm = nameOf(choice, options)
    const call: Call = { operation, form, root, op, kind: NO_KIND, count: -1, algorithm }
    const plan = new CallPlan(on, call, schedule, resultOf(on, operation, root))
    if (options?.algorithm === undefined) on.remembered[operation.number] = plan
    return plan
  }

  #startMemory(
    on: CommunicatorState,
    operation: CollectiveOperation,
    given: MemoryArguments,
    op: Op | undefined,
    options: CollectiveOptions | undefined,
    form: Form,
  ): CollectiveRequest<unknown> {
    checkOpen(on)
    const known = on.remembered[operation.number] as KnownCall | undefined
    if (known !== undefined && isAlike(known.plan.call, op, options, form)) {
      const blocks = this.#memory.again(this.#messages, on, known, given, on.collectives)
      if (blocks !== undefined) return this.#begin(on, known.plan, blocks, on.collectives++)
    }
    const { plan, resolved } = this.#planMemory(on, operation, given, op, options, form)
    // All that can be refused here is refused before the call counts: the others do not know of it.
    const lasting = form !== 'blocking'
    const bound = this.#memory.bind(on, resolved, op, plan.schedule, lasting)
    const { layout, input, output, buffers } = bound
    if (options?.algorithm === undefined) {
      on.remembered[operation.number] = KnownCall.of(plan, layout, resolved)
    }
    const number = on.collectives++
    const blocks = new MemoryBlocks(this.#messages, on, number, layout, input, output, buffers)
    return this.#begin(on, plan, blocks, number)
  }

  /** Checks a call and chooses how it is carried out. */
  #planMemory(
    on: CommunicatorState,
    operation: CollectiveOperation,
    given: MemoryArguments,
    op: Op | undefined,
    options: CollectiveOptions | undefined,
    form: Form,
  ): { plan: CallPlan; resolved: ResolvedCall } {
    const root = rootOf(on, operation, options)
    const resolved = this.#memory.resolve(on, operation, given, root, op)
    const question: Question = {
      collective: operation.collective,
      size: on.size,
      values: false,
      bytes: resolved.ruleBytes,
      commutative: op?.commutative ?? true,
      sharedMemory: this.#sharesMemory(on),
      knownBlocks: resolved.knownBlocks,
      equalBlocks: !operation.listed,
    }
    const choice = select(question, options?.algorithm, this.#named)
    const slots =
      choice.algorithm.needs.sharedMemory === true && resolved.slotBytes <= on.board!.slotBytes
    const cut = blocksFor(choice, question, slots, resolved.vector)
    const schedule = this.#schedule(on, root, choice, cut, slots, resolved.aliased)
    const { kind, count, division } = resolved
    const algorithm = nameOf(choice, options)
    const call: Call = { operation, form, root, op, kind, count, division, algorithm }
    const plan = new CallPlan(on, call, schedule, nothing)
    return { plan, resolved }
  }

  #sharesMemory(on: CommunicatorState): boolean {
    if (!this.#rank.endpoint.mapsMemory) return false
    return on.board !== undefined && on.size <= SHARING_RANKS_MAX
  }

  #schedule(
    on: CommunicatorState,
    root: number,
    { algorithm, radix }: Choice,
    blocks: number,
    slots: boolean,
    inPlace: boolean,
  ): Schedule {
    const env: Environment = { size: on.size, rank: on.rank, root, blocks, radix, slots }
    return this.#schedules.find(algorithm, env, inPlace)
  }

  #begin(
    on: CommunicatorState,
    plan: CallPlan,
    blocks: Blocks,
    number: number,
  ): CollectiveRequest<unknown> {
    const { log, trace } = this.#rank
    const { call, code, worldRoot, traceFlags } = plan
    const blocking = call.form === 'blocking'
    const request = blocking
      ? CollectiveRequest.blocking(this.#messages, on, plan, blocks, number)
      : new CollectiveRequest<unknown>(this.#messages, on, plan, blocks, number)
    request.say()
    const context = on.collectiveContext
    request.sequence = log.count
    log.add(code, worldRoot < 0 ? NONE : call.root, NONE, context, 0, call.kind)
    const traced = trace.collective(code, traceFlags, worldRoot, context, number, on.size)
    // A blocking collective is one entry, with its wait.
    if (!blocking) request.traced = traced
    request.advance()
    return request
  }
}

/** Whether a call differs from another of its operation at most in its buffers. */
function isAlike(
  call: Call,
  op: Op | undefined,
  options: CollectiveOptions | undefined,
  form: Form,
): boolean {
  if (call.op !== op || call.form !== form) return false
  if (options === undefined) return call.root === 0
  return options.algorithm === undefined && (options.root ?? 0) === call.root
}

function isLibrarys(algorithm: Algorithm): boolean {
  return algorithmNamed(algorithm.collective, algorithm.name) === algorithm
}

/** The algorithm that a call names, which all ranks must. */
function nameOf(
  { algorithm: { name, radix: usual }, radix }: Choice,
  options: CollectiveOptions | undefined,
): string | undefined {
  if (options?.algorithm === undefined) return undefined
  return radix === (usual ?? 0) ? name : `${name}:${radix}`
}

function nothing(): void {}

function sharedThread({ name, iName }: CollectiveOperation): SharedThreadError {
  const instead = `await world.${iName}(${name === 'barrier' ? '' : '...'})`
  return new SharedThreadError({ operation: name, instead })
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
