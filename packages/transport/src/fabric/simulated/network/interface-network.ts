import type { EventQueue } from '../kernel/event-queue.js'
import type { NetworkCosts } from '../profile/endpoint-costs.js'
import type { Topology } from '../topology/topology.js'
import { ARRIVED, DELIVERED, event } from './event-kinds.js'
import { firstOf } from './busiest-links.js'
import { HopCounter } from './hop-counter.js'
import { MessageTimes } from './message-times.js'
import type { LayerCard, LinkUse, Network, Receiver } from './network.js'

const STATE = 8
const SEND_FREE = 0
const BUSY_FROM = 1
const BUSY_TO = 2
const BYTES_OUT = 3
const BYTES_IN = 4
const BUSY_OUT = 5
const BUSY_IN = 6

/**
 * Layer 1: interfaces of hosts send and receive one message after the other, and nothing happens
 * between them but latency by the number of switches.
 *
 * A message that comes while its receiver's interface is busy ends later by what the interface had to
 * do meanwhile: of eight at once the k-th is ready after k times its bytes.
 */
export class InterfaceNetwork implements Network {
  readonly card: LayerCard = {
    layer: 1,
    title: 'LogGOPS endpoints, a table of sizes, interfaces that serialize on both sides',
    ignores: [
      'contention on links between switches',
      'packets, credits, head-of-line blocking and arbitration',
      'memory bandwidth that ranks of a node share',
      'noise of the operating system',
    ],
  }
  readonly times = new MessageTimes()
  readonly #queue: EventQueue
  readonly #receiver: Receiver
  readonly #costs: NetworkCosts
  readonly #hops: HopCounter
  readonly #topology: Topology
  /**
   * Of each interface, side by side in one line of the cache: when it can send the next message; the last
   * time without a pause in which it received, from and to; bytes out and in; time busy out and in.
   */
  readonly #state: Float64Array

  constructor(queue: EventQueue, receiver: Receiver, topology: Topology, costs: NetworkCosts) {
    this.#queue = queue
    this.#receiver = receiver
    this.#topology = topology
    this.#costs = costs
    this.#hops = new HopCounter(topology)
    this.#state = new Float64Array(topology.hosts * STATE)
  }

  send(
    message: number,
    from: number,
    to: number,
    bytes: number,
    ready: number,
    extraPs: number,
  ): void {
    const { times } = this
    const state = this.#state
    const own = from * STATE
    const free = state[own + SEND_FREE]!
    const start = free > ready ? free : ready
    const bytesTime = this.#costs.bytesPs(bytes)
    const latency = this.#costs.latencyOver(this.#hops.between(from, to))
    state[own + SEND_FREE] = start + this.#costs.gapPs + bytesTime
    state[own + BYTES_OUT]! += bytes
    state[own + BUSY_OUT]! += this.#costs.gapPs + bytesTime
    times.readyAt[message] = ready
    times.latency[message] = latency
    times.contention[message] = start - ready
    times.bytesTime[message] = bytesTime
    times.dest[message] = to
    state[to * STATE + BYTES_IN]! += bytes
    this.#queue.push(start + latency + extraPs + bytesTime, event(ARRIVED, message))
  }

  handle(kind: number, message: number): void {
    if (kind === DELIVERED || !this.#mustWait(message)) this.#receiver.delivered(message)
  }

  /** Takes the interface of the receiver. @returns whether the message is ready only later */
  #mustWait(message: number): boolean {
    const { now } = this.#queue
    const { times } = this
    const state = this.#state
    const own = times.dest[message]! * STATE
    const bytesTime = times.bytesTime[message]!
    const begin = now - bytesTime
    const from = state[own + BUSY_FROM]!
    const to = state[own + BUSY_TO]!
    state[own + BUSY_IN]! += this.#costs.gapPs + bytesTime
    if (to <= begin) {
      state[own + BUSY_FROM] = begin
      state[own + BUSY_TO] = now + this.#costs.gapPs
      return false
    }
    const delay = to - (begin > from ? begin : from)
    if (begin < from) state[own + BUSY_FROM] = begin
    state[own + BUSY_TO] = now + delay + this.#costs.gapPs
    times.contention[message]! += delay
    this.#queue.push(now + delay, event(DELIVERED, message))
    return true
  }

  busiest(count: number, endTime: number): LinkUse[] {
    const state = this.#state
    // Twice the host, and one more for the side that receives.
    const busyOf = (side: number): number =>
      state[(side >> 1) * STATE + ((side & 1) === 0 ? BUSY_OUT : BUSY_IN)]!
    const bytesOf = (side: number): number =>
      state[(side >> 1) * STATE + ((side & 1) === 0 ? BYTES_OUT : BYTES_IN)]!
    const before = (a: number, b: number): boolean =>
      busyOf(a) > busyOf(b) || (busyOf(a) === busyOf(b) && bytesOf(a) > bytesOf(b))
    return firstOf(2 * this.#topology.hosts, count, before).map((side) => {
      const host = side >> 1
      const link = this.#topology.hostLink(host)
      return {
        link: (side & 1) === 0 ? link : link ^ 1,
        name: `interface of ${this.#topology.nameOf(host)}, ${(side & 1) === 0 ? 'send' : 'receive'}`,
        bytes: bytesOf(side),
        busy: endTime > 0 ? Math.min(1, busyOf(side) / endTime) : 0,
        peak: 1,
      }
    })
  }
}
