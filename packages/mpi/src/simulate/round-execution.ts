import {
  costsOf,
  DRIVER_A,
  DRIVER_B,
  DRIVER_C,
  event,
  type EventLog,
  EventQueue,
  KIND_BITS,
  KIND_MASK,
  type ModelCosts,
  type Network,
  openNetwork,
  type Receiver,
} from '@commworld/transport/simulated'
import type { Algorithm, Environment } from '../coll/plan/algorithm.js'
import { Op } from '../coll/plan/schedule.js'
import { Channels, NOTHING } from './channels.js'
import type { DataShape } from './data-shape.js'
import { MessageCounts } from './message-classes.js'
import { ANSWERED, EAGER, FETCHED, Messages, REQUESTED } from './messages.js'
import { OpenOperations } from './open-operations.js'
import { OperationLists } from './operation-lists.js'
import { PathLog } from './path-log.js'
import { RankTimes } from './rank-times.js'
import { SharedStages } from './shared-stages.js'
import type { RoundRun } from './round-run.js'
import { SimulationError } from './simulation-error.js'
import { stuckError, type StuckRank } from './stuck-ranks.js'

/** A rank may go on: its clock was ahead of the others that share its interface. */
const RESUMED = DRIVER_A
/** A message has come by shared memory. */
const COPIED = DRIVER_B
/** The sender of a long message hears that it was fetched. */
const FINISHED = DRIVER_C

/** Sends of one rank that may be under way at once, as in coll/plan/execution.ts. */
const SENDS_MAX = 64
// Numbers of a rank.
const RANK = 8
/** The round that it records next. */
const ROUND = 0
const ROUNDS = 1
/** Signals that it waits for: what follows them comes after them. */
const AWAITED = 2
const SENDS_OPEN = 3
/** Messages that came before their receives. */
const UNEXPECTED = 4
/** Whether it will be resumed. */
const RESUMES = 5
const BY_SHARED_MEMORY = 0
const BY_EAGER = 1
const BY_RENDEZVOUS = 2
const NONE = -1
/** Events between two reports of progress. */
const PROGRESS_EVENTS = 2 ** 18

/**
 * Runs the round functions of all ranks in virtual time. Each rank begins its operations in their order,
 * each as soon as no operation under way stands against it, exactly as coll/plan/execution.ts does with
 * data; what an operation costs is the model's. A rank's clock runs ahead of the queue while it computes
 * and sends; only what others can see is an event.
 */
export class RoundExecution implements Receiver {
  readonly times: RankTimes
  readonly network: Network
  readonly counts = new MessageCounts()
  readonly messages: Messages
  readonly path: PathLog | undefined
  /** Longest list of messages that came before their receives, of any rank. */
  unexpectedMax = 0
  events = 0
  readonly #queue = new EventQueue()
  readonly #algorithm: Algorithm
  readonly #env: { -readonly [K in keyof Environment]: Environment[K] }
  readonly #shape: DataShape
  readonly #hostOf: Int32Array
  readonly #costs: ModelCosts
  readonly #lists: OperationLists
  readonly #open: OpenOperations
  readonly #channels: Channels
  readonly #stages: SharedStages
  readonly #log: EventLog | undefined
  /** Of each rank, side by side in one line of the cache: what the constants above name. */
  readonly #ranks: Int32Array
  /** Whether several ranks send through one interface. */
  readonly #sharesInterface: boolean
  readonly #copyPs: number
  readonly #reducePs: number
  readonly #flagPs: number
  #finished = 0
  #roundsBegun = 0
  #roundsInAll = 0
  readonly #onProgress: RoundRun['onProgress']
  #wakes = false

  constructor(run: RoundRun) {
    const { algorithm, env, shape, model, hostOf } = run
    const { size } = env
    this.#algorithm = algorithm
    this.#env = { ...env, rank: 0 }
    this.#shape = shape
    this.#hostOf = hostOf
    this.#log = run.log
    this.#onProgress = run.onProgress
    this.#costs = costsOf(model)
    this.network = openNetwork(model, this.#costs, this.#queue, this)
    this.times = new RankTimes(size)
    this.path = run.path ? new PathLog(size) : undefined
    this.messages = new Messages(size, (capacity) => {
      this.times.growMessages(capacity)
      this.path?.growMessages(capacity)
      while (this.network.times.capacity < capacity) this.network.times.grow()
    })
    this.#channels = new Channels(size)
    this.#lists = new OperationLists(shape, size)
    this.#open = new OpenOperations(size)
    this.#stages = new SharedStages(size)
    this.#ranks = new Int32Array(size * RANK)
    this.#sharesInterface = model.ranksPerHost > 1
    this.#copyPs = model.host.copyNsPerByte.value * 1000
    this.#reducePs = model.host.reduceNsPerByte.value * 1000
    this.#flagPs = Math.round(model.host.flagNs.value * 1000)
  }

  /** @throws SimulationError when ranks wait for each other in vain */
  run(): void {
    const { size } = this.#env
    for (let rank = 0; rank < size; rank++) {
      this.#env.rank = rank
      this.#shape.addRank(this.#env)
      const rounds = this.#algorithm.rounds(this.#env)
      this.#ranks[rank * RANK + ROUNDS] = rounds
      this.#roundsInAll += rounds
    }
    for (let rank = 0; rank < size; rank++) this.#advance(rank)
    this.#wakeWaiting()
    const queue = this.#queue
    let untilReport = PROGRESS_EVENTS
    while (queue.size > 0) {
      const what = queue.pop()
      if (--untilReport === 0) {
        untilReport = PROGRESS_EVENTS
        this.#onProgress?.(this.#roundsBegun / this.#roundsInAll, queue.now)
      }
      this.#log?.add(queue.now, what)
      const kind = what & KIND_MASK
      const id = what >> KIND_BITS
      if (kind < DRIVER_A) this.network.handle(kind, id)
      else if (kind === COPIED) this.delivered(id)
      else if (kind === RESUMED) {
        this.#ranks[id * RANK + RESUMES] = 0
        this.#advance(id)
      } else this.#endSend(id)
      if (this.#wakes) this.#wakeWaiting()
    }
    this.events = queue.pushes
    if (this.#finished < size) throw this.#stuck()
  }

  #advance(rank: number): void {
    const lists = this.#lists
    for (;;) {
      const at = lists.first(rank)
      if (at !== NONE) {
        if (!this.#step(rank, at)) return
        lists.drop(rank)
      } else if (this.#ranks[rank * RANK + ROUND]! < this.#ranks[rank * RANK + ROUNDS]!) {
        lists.write(rank)
        this.#roundsBegun++
        this.#env.rank = rank
        this.#algorithm.round(this.#ranks[rank * RANK + ROUND]!++, this.#env, lists)
      } else {
        if (
          this.#ranks[rank * RANK + ROUND] === this.#ranks[rank * RANK + ROUNDS] &&
          this.#open.countOf(rank) === 0
        ) {
          this.#ranks[rank * RANK + ROUND]!++
          this.#finished++
        }
        return
      }
    }
  }

  /** @returns whether the next operation was begun */
  #step(rank: number, at: number): boolean {
    const { words } = this.#lists
    const op = words[at]!
    if (this.#ranks[rank * RANK + AWAITED]! > 0 && op !== Op.await) return false
    const peer = words[at + 1]!
    const buffer = words[at + 2]!
    const index = words[at + 3]!
    const to = words[at + 4]!
    const toIndex = words[at + 5]!
    const count = words[at + 6]!
    const side = words[at + 7]!
    const open = this.#open
    switch (op) {
      case Op.send:
        if (!open.mayRead(rank, buffer, index, count) || this.#mustResume(rank, peer)) return false
        return this.#send(rank, peer, buffer, index, count)
      case Op.signal:
        if (this.#mustResume(rank, peer)) return false
        return this.#send(rank, peer, NONE, 0, 0)
      case Op.receive:
      case Op.receiveReduce:
        if (!open.mayWrite(rank, buffer, index, count)) return false
        this.#receive(rank, peer, op, buffer, index, count, side)
        return true
      case Op.await:
        this.#receive(rank, peer, op, NONE, 0, 0, 0)
        return true
      case Op.copy:
      case Op.reduce: {
        if (!open.mayRead(rank, buffer, index, count)) return false
        if (!open.mayWrite(rank, to, toIndex, count)) return false
        const bytes = this.#shape.bytes(rank, to, toIndex, count)
        this.#compute(rank, bytes * (op === Op.copy ? this.#copyPs : this.#reducePs))
        return true
      }
      case Op.get:
      case Op.getReduce: {
        if (!open.mayWrite(rank, to, toIndex, count)) return false
        const bytes = this.#shape.bytes(rank, to, toIndex, count)
        const perByte = op === Op.get ? this.#copyPs : this.#copyPs + this.#reducePs
        this.#compute(rank, this.#flagPs + bytes * perByte)
        return true
      }
      case Op.put:
        if (!open.mayRead(rank, buffer, index, count)) return false
        this.#compute(
          rank,
          this.#flagPs + this.#shape.bytes(rank, buffer, index, count) * this.#copyPs,
        )
        return true
      case Op.publish:
        if (open.countOf(rank) > 0) return false
        this.#stages.publish(rank, count, this.#flag(rank), this.times.clock[rank]!)
        return true
      case Op.awaitPublished:
        return this.#meet(rank, this.#stages.markOf(peer, count))
      case Op.once:
        return this.#enterOnce(rank, count, side)
      case Op.endOnce:
        this.#stages.finish(count, this.#flag(rank))
        return true
      default:
        return open.countOf(rank) === 0
    }
  }

  #compute(rank: number, ps: number): void {
    this.times.compute(rank, Math.round(ps))
  }

  /** Whether the interface must first serve what comes before the clock of this rank. */
  #mustResume(rank: number, peer: number): boolean {
    if (!this.#sharesInterface || this.times.clock[rank]! <= this.#queue.now) return false
    if (this.#hostOf[rank] === this.#hostOf[peer]) return false
    if (this.#ranks[rank * RANK + RESUMES] === 0) {
      this.#ranks[rank * RANK + RESUMES] = 1
      this.#queue.push(this.times.clock[rank]!, event(RESUMED, rank))
    }
    return true
  }

  #send(rank: number, peer: number, buffer: number, index: number, count: number): boolean {
    if (this.#ranks[rank * RANK + SENDS_OPEN]! >= SENDS_MAX) return false
    const { times, network, messages } = this
    const bytes = count === 0 ? 0 : this.#shape.bytes(rank, buffer, index, count)
    const from = this.#hostOf[rank]!
    const to = this.#hostOf[peer]!
    if (from === to) {
      const costs = this.#costs.sharedMemory
      times.handle(rank, costs.sendOverheadPs)
      const message = this.#depart(EAGER, rank, peer, bytes)
      const ready = times.clock[rank]!
      this.counts.add(BY_SHARED_MEMORY, bytes, costs.sendOverheadPs + costs.receiveOverheadPs)
      network.times.readyAt[message] = ready
      network.times.latency[message] = costs.latencyPs
      network.times.contention[message] = 0
      const transfer = costs.extraPs(bytes) + costs.bytesPs(bytes)
      this.#queue.push(ready + costs.latencyPs + transfer, event(COPIED, message))
      return true
    }
    const costs = this.#costs.network
    times.handle(rank, costs.sendOverheadPs)
    const overhead = costs.sendOverheadPs + costs.receiveOverheadPs
    if (costs.isEager(bytes)) {
      const message = this.#depart(EAGER, rank, peer, bytes)
      this.counts.add(BY_EAGER, bytes, overhead)
      network.send(message, from, to, bytes, times.clock[rank]!, costs.extraPs(bytes))
    } else {
      const message = this.#depart(REQUESTED, rank, peer, bytes)
      this.counts.add(BY_RENDEZVOUS, bytes, overhead + costs.receiveOverheadPs)
      messages.send[message] = this.#open.begin(rank, Op.send, true, buffer, index, count, 0, bytes)
      this.#ranks[rank * RANK + SENDS_OPEN]!++
      network.send(message, from, to, 0, times.clock[rank]!, 0)
    }
    return true
  }

  #depart(state: number, from: number, to: number, bytes: number): number {
    const message = this.#newMessage(state, from, to, bytes)
    this.messages.depart(message)
    return message
  }

  #newMessage(state: number, from: number, to: number, bytes: number): number {
    const message = this.messages.add(state, from, to, bytes)
    this.times.startMessage(message, from)
    this.path?.startMessage(message, from)
    return message
  }

  #receive(
    rank: number,
    peer: number,
    op: number,
    buffer: number,
    index: number,
    count: number,
    side: number,
  ): void {
    const bytes = count === 0 ? 0 : this.#shape.bytes(rank, buffer, index, count)
    const first = this.#channels.first(rank, peer)
    if (first !== NOTHING && first < 0) {
      const message = ~first
      const next = this.messages.next[message]!
      this.#channels.advance(rank, peer, next === NONE ? NOTHING : ~next)
      this.#ranks[rank * RANK + UNEXPECTED]!--
      this.#checkLength(message, bytes)
      if (this.messages.state[message] === EAGER) {
        this.#take(rank, op, bytes, message, this.messages.arrivedAt[message]!)
        this.messages.remove(message)
        return
      }
      const receive = this.#open.begin(rank, op, false, buffer, index, count, side, bytes)
      this.#fetch(receive, message, this.messages.arrivedAt[message]!)
      return
    }
    if (op === Op.await) this.#ranks[rank * RANK + AWAITED]!++
    const receive = this.#open.begin(rank, op, false, buffer, index, count, side, bytes)
    const last = this.#channels.append(rank, peer, receive)
    if (last !== NOTHING) this.#open.queued[last] = receive
  }

  /** A message, or what stands for it, has come to the host that it was sent to. */
  delivered(message: number): void {
    const { messages } = this
    this.#account(message)
    const state = messages.state[message]!
    if (state === FETCHED) this.#answer(message)
    else if (state === ANSWERED) {
      const wait = this.#costs.network.latencyPs
      this.#queue.push(this.#queue.now + wait, event(FINISHED, message))
      this.#complete(messages.receive[message]!, message)
    } else if (messages.arrive(message)) {
      this.#match(message, messages.admit(message))
    } else messages.arrivedAt[message] = this.#queue.now
  }

  /** Finds the receive of a message that has come, or keeps it until there is one; so with those behind it. */
  #match(message: number, heldBehind: number): void {
    const { messages } = this
    const rank = messages.to[message]!
    const from = messages.from[message]!
    const receive = this.#channels.first(rank, from)
    if (receive < 0) this.#keep(message)
    else {
      const next = this.#open.queued[receive]!
      this.#channels.advance(rank, from, next === NONE ? NOTHING : next)
      this.#checkLength(message, this.#open.bytes[receive]!)
      if (messages.state[message] === EAGER) {
        this.#complete(receive, message)
        messages.remove(message)
      } else {
        this.#fetch(receive, message, this.#queue.now)
        this.#advance(rank)
      }
    }
    if (heldBehind === NONE) return
    const waited = this.#queue.now - messages.arrivedAt[heldBehind]!
    this.network.times.contention[heldBehind]! += waited
    this.times.addToMessage(heldBehind, 0, 0, waited)
    this.#match(heldBehind, messages.admit(heldBehind))
  }

  /** An algorithm whose ranks disagree would give nonsense. */
  #checkLength(message: number, expected: number): void {
    const bytes = this.messages.bytes[message]!
    if (bytes === expected) return
    const from = this.messages.from[message]!
    const to = this.messages.to[message]!
    throw new SimulationError(
      `rank ${from} sends ${bytes} bytes to rank ${to}, which expects ${expected}`,
    )
  }

  /** Adds what the network says of the last leg of a message to its history. */
  #account(message: number): void {
    const { times } = this.network
    const latency = times.latency[message]!
    const contention = times.contention[message]!
    const transfer = this.#queue.now - times.readyAt[message]! - latency - contention
    this.times.addToMessage(message, latency, transfer, contention)
    const { from, to, send } = this.messages
    const near = this.#hostOf[from[message]!] === this.#hostOf[to[message]!]
    const way = near ? BY_SHARED_MEMORY : send[message] === NONE ? BY_EAGER : BY_RENDEZVOUS
    this.counts.addTimes(way, latency, transfer, contention)
  }

  #keep(message: number): void {
    const rank = this.messages.to[message]!
    this.messages.arrivedAt[message] = this.#queue.now
    const waiting = ++this.#ranks[rank * RANK + UNEXPECTED]!
    if (waiting > this.unexpectedMax) this.unexpectedMax = waiting
    const last = this.#channels.append(rank, this.messages.from[message]!, ~message)
    if (last !== NOTHING) this.messages.next[~last] = message
  }

  /** The receiver asks for the bytes of a long message. */
  #fetch(receive: number, message: number, time: number): void {
    const { messages, network } = this
    const rank = messages.to[message]!
    this.#turnTo(rank, message, time)
    this.times.handle(rank, this.#costs.network.receiveOverheadPs)
    this.times.startMessage(message, rank)
    this.path?.startMessage(message, rank)
    messages.state[message] = FETCHED
    messages.receive[message] = receive
    const from = this.#hostOf[rank]!
    const to = this.#hostOf[messages.from[message]!]!
    network.send(message, from, to, 0, this.times.clock[rank]!, 0)
  }

  /** The interface of the sender sends the bytes: no processor takes part. */
  #answer(message: number): void {
    const { messages, network } = this
    messages.state[message] = ANSWERED
    const bytes = messages.bytes[message]!
    const from = this.#hostOf[messages.from[message]!]!
    const to = this.#hostOf[messages.to[message]!]!
    const extra = this.#costs.network.extraPs(bytes)
    network.send(message, from, to, bytes, this.#queue.now, extra)
  }

  #endSend(message: number): void {
    const rank = this.messages.from[message]!
    this.#open.end(this.messages.send[message]!)
    this.#ranks[rank * RANK + SENDS_OPEN]!--
    this.times.addToMessage(message, this.#costs.network.latencyPs, 0, 0)
    this.#turnTo(rank, message, this.#queue.now)
    this.messages.remove(message)
    this.#advance(rank)
  }

  #complete(receive: number, message: number): void {
    const open = this.#open
    const rank = open.rank[receive]!
    const op = open.op[receive]!
    this.#take(rank, op, open.bytes[receive]!, message, this.#queue.now)
    open.end(receive)
    if (op === Op.await) this.#ranks[rank * RANK + AWAITED]!--
    this.#advance(rank)
  }

  /** The processor takes a message that came at `time`. */
  #take(rank: number, op: number, bytes: number, message: number, time: number): void {
    const near = this.#hostOf[rank] === this.#hostOf[this.messages.from[message]!]
    const costs = near ? this.#costs.sharedMemory : this.#costs.network
    this.#turnTo(rank, message, time)
    this.times.handle(rank, costs.receiveOverheadPs)
    if (op === Op.receiveReduce) this.#compute(rank, bytes * this.#reducePs)
  }

  #turnTo(rank: number, message: number, time: number): void {
    const contention = this.network.times.contention[message]!
    if (this.times.meetMessage(rank, message, time, contention) === 0) return
    const from = this.messages.from[message]!
    this.path?.add(message, {
      // What a sender hears at the end comes from the receiver.
      from: from === rank ? this.messages.to[message]! : from,
      to: rank,
      bytes: this.messages.bytes[message]!,
      sentAtPs: this.network.times.readyAt[message]!,
      arrivedAtPs: time,
    })
  }

  /** Sets a flag that the other ranks of the node see. @returns its mark: a message that all may look at */
  #flag(rank: number): number {
    const mark = this.#newMessage(EAGER, rank, rank, 0)
    this.network.times.contention[mark] = 0
    this.network.times.readyAt[mark] = this.times.clock[rank]!
    this.messages.arrivedAt[mark] = this.times.clock[rank]! + this.#flagPs
    this.times.addToMessage(mark, this.#flagPs, 0, 0)
    this.#wakes = true
    return mark
  }

  #meet(rank: number, mark: number): boolean {
    if (mark === NONE) {
      this.#stages.wait(rank)
      return false
    }
    this.#turnTo(rank, mark, this.messages.arrivedAt[mark]!)
    return true
  }

  #enterOnce(rank: number, stage: number, operations: number): boolean {
    const runner = this.#stages.runnerOf(stage)
    if (runner === rank) return true
    const mark = runner === NONE ? NONE : this.#stages.doneMark(stage)
    if (!this.#meet(rank, mark)) return false
    for (let i = 0; i <= operations; i++) this.#lists.drop(rank)
    return true
  }

  #wakeWaiting(): void {
    while (this.#wakes) {
      this.#wakes = false
      for (const rank of this.#stages.takeWaiting()) this.#advance(rank)
    }
  }

  #stuck(): SimulationError {
    const { size } = this.#env
    const lists = this.#lists
    const stuck: StuckRank[] = []
    for (let rank = 0; rank < size; rank++) {
      const own = rank * RANK
      if (this.#ranks[own + ROUND]! > this.#ranks[own + ROUNDS]!) continue
      const at = lists.first(rank)
      stuck.push({
        rank,
        nextOp: at === NONE ? undefined : lists.words[at]!,
        open: this.#open.countOf(rank),
      })
    }
    return stuckError(stuck)
  }
}
