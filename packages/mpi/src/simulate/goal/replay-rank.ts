import { PS_PER_NS } from '@commworld/transport/simulated'
import { ArrivalOrder } from '../virtual/arrival-order.js'
import { ANNOUNCED, EAGER, FINISHED, PAYLOAD } from '../virtual/flights.js'
import type { VirtualKernel, VirtualReceiver } from '../virtual/virtual-kernel.js'
import { CALC, type GoalOperation, SEND } from './schedule.js'

const ANY = -1

/** One rank of a schedule that is replayed: begins what nothing stands before, and matches what comes. */
export class ReplayRank implements VirtualReceiver {
  readonly #kernel: VirtualKernel
  readonly #rank: number
  readonly #operations: readonly GoalOperation[]
  readonly #needs: Int32Array
  /** Receives without a message, and messages without a receive, in their order. */
  readonly #posted: number[] = []
  readonly #unexpected: number[] = []
  readonly #sentTo = new Map<number, number>()
  /** By sender. */
  readonly #orders = new Map<number, ArrivalOrder>()
  readonly #ready: number[] = []
  #runs = false
  /** Operations that have ended. */
  ended = 0
  unexpectedMax = 0
  readonly #open = new Set<number>()

  constructor(kernel: VirtualKernel, rank: number, operations: readonly GoalOperation[]) {
    this.#kernel = kernel
    this.#rank = rank
    this.#operations = operations
    this.#needs = Int32Array.from(operations, ({ needs }) => needs)
    kernel.add(this)
  }

  get operations(): number {
    return this.#operations.length
  }

  start(): void {
    this.#needs.forEach((needs, number) => {
      if (needs === 0) this.#ready.push(number)
    })
    this.#run()
  }

  /** Operations that were begun and did not end; without any, one that was never begun. */
  stuck(): GoalOperation[] {
    if (this.ended === this.#operations.length) return []
    const open = [...this.#open].map((number) => this.#operations[number]!)
    if (open.length > 0) return open
    return [this.#operations[this.#needs.findIndex((needs) => needs > 0)]!]
  }

  admits(flight: number): boolean {
    const { from, token } = this.#kernel.flights
    const source = from[flight]!
    let order = this.#orders.get(source)
    if (order === undefined) {
      order = new ArrivalOrder()
      this.#orders.set(source, order)
    }
    return order.admits(token[flight]!, flight)
  }

  heldBehind(flight: number): number {
    return this.#orders.get(this.#kernel.flights.from[flight]!)!.next()
  }

  take(flight: number): void {
    const kernel = this.#kernel
    const { flights } = kernel
    const state = flights.state[flight]
    if (state === PAYLOAD) {
      const near = kernel.near(this.#rank, flights.from[flight]!)
      kernel.turnTo(this.#rank, flight, !near)
      const answer = kernel.finish(this.#rank, flights.from[flight]!)
      flights.local[answer] = flights.local[flight]!
      const receive = flights.token[flight]!
      kernel.release(flight)
      this.#end(receive)
    } else if (state === FINISHED) {
      kernel.turnTo(this.#rank, flight, false)
      const send = flights.local[flight]!
      kernel.release(flight)
      this.#end(send)
    } else {
      this.#arrived(flight)
    }
    this.#run()
  }

  landed(): void {}

  #run(): void {
    if (this.#runs) return
    this.#runs = true
    for (let next = this.#ready.shift(); next !== undefined; next = this.#ready.shift()) {
      this.#begin(next)
    }
    this.#runs = false
  }

  #begin(number: number): void {
    const { kind, ns } = this.#operations[number]!
    if (kind === CALC) this.#kernel.compute(this.#rank, Math.round(ns * PS_PER_NS))
    this.#open.add(number)
    this.#pass(this.#operations[number]!.beforeStart)
    if (kind === CALC) this.#end(number)
    else if (kind === SEND) this.#send(number)
    else this.#receive(number)
  }

  #send(number: number): void {
    const kernel = this.#kernel
    const { peer, bytes, tag } = this.#operations[number]!
    const eager = kernel.near(this.#rank, peer) || kernel.costs.network.isEager(bytes)
    const flight = kernel.send(eager ? EAGER : ANNOUNCED, this.#rank, peer, bytes)
    const sent = this.#sentTo.get(peer) ?? 0
    this.#sentTo.set(peer, sent + 1)
    kernel.flights.token[flight] = sent
    kernel.flights.slot[flight] = tag
    kernel.flights.local[flight] = number
    if (eager) this.#end(number)
  }

  #receive(number: number): void {
    const at = this.#unexpected.findIndex((flight) => this.#fits(number, flight))
    if (at < 0) this.#posted.push(number)
    else this.#match(number, this.#unexpected.splice(at, 1)[0]!)
  }

  #arrived(flight: number): void {
    const at = this.#posted.findIndex((number) => this.#fits(number, flight))
    if (at >= 0) return this.#match(this.#posted.splice(at, 1)[0]!, flight)
    this.#unexpected.push(flight)
    this.unexpectedMax = Math.max(this.unexpectedMax, this.#unexpected.length)
  }

  #fits(number: number, flight: number): boolean {
    const { peer, tag } = this.#operations[number]!
    const { from, slot } = this.#kernel.flights
    return (peer === ANY || peer === from[flight]) && (tag === ANY || tag === slot[flight])
  }

  #match(number: number, flight: number): void {
    const kernel = this.#kernel
    const { flights } = kernel
    kernel.turnTo(this.#rank, flight, true)
    if (flights.state[flight] === EAGER) {
      kernel.release(flight)
      return this.#end(number)
    }
    const bytes = flights.bytes[flight]!
    const fetch = kernel.fetch(this.#rank, flights.from[flight]!, bytes)
    flights.token[fetch] = number
    flights.local[fetch] = flights.local[flight]!
    kernel.release(flight)
  }

  #end(number: number): void {
    this.ended++
    this.#open.delete(number)
    this.#pass(this.#operations[number]!.beforeEnd)
    this.#run()
  }

  #pass(later: readonly number[]): void {
    for (const number of later) if (--this.#needs[number]! === 0) this.#ready.push(number)
  }
}
