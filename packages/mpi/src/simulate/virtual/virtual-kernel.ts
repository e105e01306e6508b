import {
  costsOf,
  DRIVER_A,
  DRIVER_B,
  event,
  type EventLog,
  EventQueue,
  type FabricModel,
  KIND_BITS,
  KIND_MASK,
  type ModelCosts,
  type Network,
  openNetwork,
  PS_PER_S,
  type Receiver,
} from '@commworld/transport/simulated'
import type { GoalRecorder } from '../goal/goal-recorder.js'
import { MessageCounts } from '../message-classes.js'
import { PathLog } from '../path-log.js'
import { placeRanks } from '../rank-places.js'
import { RankTimes } from '../rank-times.js'
import { ANNOUNCED, EAGER, FETCH, FINISHED, Flights, PAYLOAD } from './flights.js'
import type { RunRecord } from './run-record.js'

/** A rank has done what it was at, and takes in what came meanwhile. */
const RESUMED = DRIVER_A
/** A rank's clock has come to where it hands a message to the interface, or a message has come. */
const DUE = DRIVER_B

const BY_SHARED_MEMORY = 0
const BY_EAGER = 1
const BY_RENDEZVOUS = 2

/** What the kernel hands to the endpoint of a rank. */
export interface VirtualReceiver {
  /** Whether all that its sender sent to this rank before has come; otherwise it is held back. */
  admits(flight: number): boolean
  /** What was held back behind this flight, or -1. */
  heldBehind(flight: number): number
  /** A flight has come, and the rank has nothing else to do. */
  take(flight: number): void
  /** What this rank had sent has been taken in. */
  landed(flight: number): void
}

export interface KernelOptions {
  readonly model: FabricModel
  readonly ranks: number
  readonly log: EventLog | undefined
  readonly record: RunRecord | undefined
  readonly goal?: GoalRecorder | undefined
}

/**
 * Virtual time of a world: when messages come and what ranks do until then. A rank's clock runs ahead of
 * the queue while it computes, sends and takes in; what comes meanwhile waits for it. Costs and order are
 * those of round-execution.ts: the same collective takes the same time with a program and without.
 */
export class VirtualKernel implements Receiver {
  readonly queue = new EventQueue()
  readonly model: FabricModel
  readonly costs: ModelCosts
  readonly network: Network
  readonly times: RankTimes
  readonly path: PathLog
  readonly counts = new MessageCounts()
  readonly flights: Flights
  readonly hostOf: Int32Array
  readonly record: RunRecord | undefined
  readonly goal: GoalRecorder | undefined
  /** Called when something was pushed from outside of the loop. */
  onPush: () => void = () => {}
  /** Most that had come to one rank and was not taken in yet. */
  waitingMax = 0
  readonly log: EventLog | undefined
  readonly #receivers: VirtualReceiver[] = []
  readonly #waiting: (number[] | undefined)[]
  readonly #resumes: Uint8Array
  readonly #sharesInterface: boolean

  constructor({ model, ranks, log, record, goal }: KernelOptions) {
    this.model = model
    this.hostOf = placeRanks(model, ranks)
    this.costs = costsOf(model)
    this.network = openNetwork(model, this.costs, this.queue, this)
    this.times = new RankTimes(ranks)
    this.path = new PathLog(ranks)
    this.log = log
    this.record = record
    this.goal = goal
    this.flights = new Flights((capacity) => {
      this.times.growMessages(capacity)
      this.path.growMessages(capacity)
      while (this.network.times.capacity < capacity) this.network.times.grow()
    })
    this.#waiting = new Array<number[] | undefined>(ranks).fill(undefined)
    this.#resumes = new Uint8Array(ranks)
    this.#sharesInterface = model.ranksPerHost > 1
  }

  /** Ranks are added in their order. */
  add(receiver: VirtualReceiver): void {
    this.#receivers.push(receiver)
  }

  /** Handles all events of the next time; the queue must not be empty. */
  step(): void {
    const { queue, log } = this
    const time = queue.nextTime
    do {
      const what = queue.pop()
      log?.add(time, what)
      const kind = what & KIND_MASK
      const id = what >> KIND_BITS
      if (kind === RESUMED) this.#resume(id)
      else if (kind === DUE) this.#due(id)
      else this.network.handle(kind, id)
    } while (queue.size > 0 && queue.nextTime === time)
  }

  /** Whether two ranks are on one host. */
  near(a: number, b: number): boolean {
    return this.hostOf[a] === this.hostOf[b]
  }

  secondsOf(rank: number): number {
    return this.#clockOf(rank) / PS_PER_S
  }

  compute(rank: number, ps: number): void {
    const from = this.#clockOf(rank)
    this.times.compute(rank, ps)
    this.record?.addSpan(rank, from, from + ps)
    this.goal?.calc(rank, ps)
  }

  /** A rank sends a message, or the header of one whose payload waits. @returns its flight */
  send(state: typeof EAGER | typeof ANNOUNCED, from: number, to: number, bytes: number): number {
    const near = this.near(from, to)
    const costs = near ? this.costs.sharedMemory : this.costs.network
    this.#clockOf(from)
    this.times.handle(from, costs.sendOverheadPs)
    const overhead = costs.sendOverheadPs + costs.receiveOverheadPs
    const more = state === ANNOUNCED && !near ? costs.receiveOverheadPs : 0
    this.counts.add(this.#wayOf(state, near), bytes, overhead + more)
    const flight = this.#newFlight(state, from, to, bytes)
    this.#depart(flight, near, state === EAGER ? bytes : 0, state === EAGER)
    return flight
  }

  /** A rank asks for the payload of a message of this many bytes. @returns the flight that brings it */
  fetch(rank: number, source: number, bytes: number): number {
    const near = this.near(rank, source)
    if (near) {
      // The receiver copies by itself.
      const flight = this.#newFlight(PAYLOAD, source, rank, bytes, rank)
      const { sharedMemory } = this.costs
      this.#comeAfter(flight, rank, 0, sharedMemory.extraPs(bytes) + sharedMemory.bytesPs(bytes))
      return flight
    }
    const flight = this.#newFlight(FETCH, rank, source, bytes)
    this.#depart(flight, false, 0, false)
    return flight
  }

  /** The receiver tells that it has fetched. @returns its flight */
  finish(from: number, to: number): number {
    const flight = this.#newFlight(FINISHED, from, to, 0)
    const { network, sharedMemory } = this.costs
    const latency = (this.near(from, to) ? sharedMemory : network).latencyPs
    this.#comeAfter(flight, from, latency, 0)
    return flight
  }

  /** A rank turns to what has come, at its own time or that of the arrival. */
  turnTo(rank: number, flight: number, overhead: boolean): void {
    const { flights, times } = this
    const time = flights.arrivedAt[flight]!
    const contention = this.network.times.contention[flight]!
    const from = flights.from[flight]!
    this.#meet(rank, flight, time, contention)
    if (overhead) {
      const costs = this.near(rank, from) ? this.costs.sharedMemory : this.costs.network
      times.handle(rank, costs.receiveOverheadPs)
    }
    const state = flights.state[flight]!
    if (state !== EAGER && state !== PAYLOAD) return
    const sentAt = flights.sentAt[flight]!
    this.record?.addMessage(from, rank, flights.bytes[flight]!, sentAt, time, times.clock[rank]!)
  }

  /** Nobody asks for this flight any more. */
  release(flight: number): void {
    this.flights.remove(flight)
  }

  delivered(flight: number): void {
    this.#account(flight)
    const { flights } = this
    flights.arrivedAt[flight] = this.queue.now
    const state = flights.state[flight]!
    if (state === FETCH) return this.#answer(flight)
    if (state !== EAGER && state !== ANNOUNCED) return this.#handToRank(flight)
    // Messages of one sender do not overtake each other (MPI 4.1, section 3.5).
    const receiver = this.#receivers[flights.to[flight]!]!
    if (!receiver.admits(flight)) return
    for (let next = flight; next >= 0;) {
      const following = receiver.heldBehind(next)
      flights.arrivedAt[next] = this.queue.now
      this.#handToRank(next)
      next = following
    }
  }

  #handToRank(flight: number): void {
    const rank = this.flights.to[flight]!
    const waiting = this.#waiting[rank]
    if (this.times.clock[rank]! <= this.queue.now && (waiting?.length ?? 0) === 0) {
      this.#receivers[rank]!.take(flight)
      return
    }
    if (waiting === undefined) this.#waiting[rank] = [flight]
    else waiting.push(flight)
    const { length } = this.#waiting[rank]!
    if (length > this.waitingMax) this.waitingMax = length
    this.#resumeLater(rank)
  }

  /** Tells the sender that a flight has been taken in. */
  landed(flight: number): void {
    this.#receivers[this.flights.from[flight]!]!.landed(flight)
  }

  /** The clock of a rank that acts now: it may have been idle. */
  #clockOf(rank: number): number {
    const { clock } = this.times
    if (clock[rank]! < this.queue.now) clock[rank] = this.queue.now
    return clock[rank]!
  }

  /** @param actor the rank that makes it */
  #newFlight(state: number, from: number, to: number, bytes: number, actor = from): number {
    const flight = this.flights.add(state, from, to, bytes)
    this.flights.sentAt[flight] = this.#clockOf(actor)
    this.times.startMessage(flight, actor)
    this.path.startMessage(flight, actor)
    return flight
  }

  #depart(flight: number, near: boolean, bytes: number, extra: boolean): void {
    const { flights, network, queue } = this
    const from = flights.from[flight]!
    if (near) {
      const costs = this.costs.sharedMemory
      const transfer = extra ? costs.extraPs(bytes) + costs.bytesPs(bytes) : 0
      this.#comeAfter(flight, from, costs.latencyPs, transfer)
      return
    }
    const ready = this.#clockOf(from)
    flights.piece[flight] = bytes
    if (this.#sharesInterface && ready > queue.now) {
      // The interface first serves what others of the node hand to it until then.
      network.times.readyAt[flight] = ready
      network.times.latency[flight] = -1
      queue.push(ready, event(DUE, flight))
    } else {
      this.#handOver(flight, ready)
    }
    this.onPush()
  }

  #handOver(flight: number, ready: number): void {
    const { from, to, piece } = this.flights
    const bytes = piece[flight]!
    const extra = bytes === 0 ? 0 : this.costs.network.extraPs(bytes)
    const hosts = this.hostOf
    this.network.send(flight, hosts[from[flight]!]!, hosts[to[flight]!]!, bytes, ready, extra)
  }

  #comeAfter(flight: number, rank: number, latency: number, transfer: number): void {
    const { times } = this.network
    const ready = this.#clockOf(rank)
    times.readyAt[flight] = ready
    times.latency[flight] = latency
    times.contention[flight] = 0
    this.queue.push(ready + latency + transfer, event(DUE, flight))
    this.onPush()
  }

  #due(flight: number): void {
    if (this.network.times.latency[flight] === -1) this.#handOver(flight, this.queue.now)
    else this.delivered(flight)
  }

  /** The interface of the sender sends the bytes: no processor takes part. */
  #answer(flight: number): void {
    const { flights } = this
    const source = flights.to[flight]!
    flights.to[flight] = flights.from[flight]!
    flights.from[flight] = source
    flights.state[flight] = PAYLOAD
    flights.piece[flight] = flights.bytes[flight]!
    this.#handOver(flight, this.queue.now)
  }

  #resume(rank: number): void {
    this.#resumes[rank] = 0
    const waiting = this.#waiting[rank]!
    // One at a time: each keeps the rank busy.
    const { now } = this.queue
    while (waiting.length > 0 && this.times.clock[rank]! <= now) {
      this.#receivers[rank]!.take(waiting.shift()!)
    }
    if (waiting.length > 0) this.#resumeLater(rank)
  }

  #resumeLater(rank: number): void {
    if (this.#resumes[rank] !== 0) return
    this.#resumes[rank] = 1
    this.queue.push(this.#clockOf(rank), event(RESUMED, rank))
  }

  #meet(rank: number, flight: number, time: number, contention: number): void {
    if (this.times.meetMessage(rank, flight, time, contention) === 0) return
    const { from, bytes, sentAt } = this.flights
    this.path.add(flight, {
      from: from[flight]!,
      to: rank,
      bytes: bytes[flight]!,
      sentAtPs: sentAt[flight]!,
      arrivedAtPs: time,
    })
  }

  /** Adds what the network says of the last leg to the history of a flight. */
  #account(flight: number): void {
    const { times } = this.network
    const latency = times.latency[flight]!
    const contention = times.contention[flight]!
    const transfer = this.queue.now - times.readyAt[flight]! - latency - contention
    this.times.addToMessage(flight, latency, transfer, contention)
    const { state, from, to } = this.flights
    if (state[flight] === FINISHED) return
    const near = this.near(from[flight]!, to[flight]!)
    this.counts.addTimes(this.#wayOf(state[flight]!, near), latency, transfer, contention)
  }

  #wayOf(state: number, near: boolean): number {
    return near ? BY_SHARED_MEMORY : state === EAGER ? BY_EAGER : BY_RENDEZVOUS
  }
}
