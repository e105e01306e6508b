import type { EventQueue } from '../kernel/event-queue.js'
import type { NetworkCosts } from '../profile/endpoint-costs.js'
import type { Topology } from '../topology/topology.js'
import { ARRIVED, DELIVERED, event } from './event-kinds.js'
import { HopCounter } from './hop-counter.js'
import { MessageTimes } from './message-times.js'
import type { LayerCard, LinkUse, Network, Receiver } from './network.js'

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
  /** When the interface can send the next message. */
  readonly #sendFree: Float64Array
  /** The last time without a pause in which the interface received. */
  readonly #busyFrom: Float64Array
  readonly #busyTo: Float64Array
  readonly #bytesOut: Float64Array
  readonly #bytesIn: Float64Array
  readonly #busyOut: Float64Array
  readonly #busyIn: Float64Array

  constructor(queue: EventQueue, receiver: Receiver, topology: Topology, costs: NetworkCosts) {
    this.#queue = queue
    this.#receiver = receiver
    this.#topology = topology
    this.#costs = costs
    this.#hops = new HopCounter(topology)
    const perHost = (): Float64Array => new Float64Array(topology.hosts)
    this.#sendFree = perHost()
    this.#busyFrom = perHost()
    this.#busyTo = perHost()
    this.#bytesOut = perHost()
    this.#bytesIn = perHost()
    this.#busyOut = perHost()
    this.#busyIn = perHost()
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
    const free = this.#sendFree[from]!
    const start = free > ready ? free : ready
    const bytesTime = this.#costs.bytesPs(bytes)
    const latency = this.#costs.latencyOver(this.#hops.between(from, to))
    this.#sendFree[from] = start + this.#costs.gapPs + bytesTime
    this.#bytesOut[from]! += bytes
    this.#busyOut[from]! += this.#costs.gapPs + bytesTime
    times.readyAt[message] = ready
    times.latency[message] = latency
    times.contention[message] = start - ready
    times.bytesTime[message] = bytesTime
    times.dest[message] = to
    this.#bytesIn[to]! += bytes
    this.#queue.push(start + latency + extraPs + bytesTime, event(ARRIVED, message))
  }

  handle(kind: number, message: number): void {
    if (kind === DELIVERED || !this.#mustWait(message)) this.#receiver.delivered(message)
  }

  /** Takes the interface of the receiver. @returns whether the message is ready only later */
  #mustWait(message: number): boolean {
    const { now } = this.#queue
    const { times } = this
    const host = times.dest[message]!
    const bytesTime = times.bytesTime[message]!
    const begin = now - bytesTime
    const from = this.#busyFrom[host]!
    const to = this.#busyTo[host]!
    this.#busyIn[host]! += this.#costs.gapPs + bytesTime
    if (to <= begin) {
      this.#busyFrom[host] = begin
      this.#busyTo[host] = now + this.#costs.gapPs
      return false
    }
    const delay = to - (begin > from ? begin : from)
    if (begin < from) this.#busyFrom[host] = begin
    this.#busyTo[host] = now + delay + this.#costs.gapPs
    times.contention[message]! += delay
    this.#queue.push(now + delay, event(DELIVERED, message))
    return true
  }

  busiest(count: number, endTime: number): LinkUse[] {
    const uses: LinkUse[] = []
    for (let host = 0; host < this.#topology.hosts; host++) {
      const link = this.#topology.hostLink(host)
      const use = (bytes: number, busy: number, direction: string): LinkUse => ({
        link: direction === 'send' ? link : link ^ 1,
        name: `interface of ${this.#topology.nameOf(host)}, ${direction}`,
        bytes,
        busy: endTime > 0 ? Math.min(1, busy / endTime) : 0,
        peak: 1,
      })
      uses.push(use(this.#bytesOut[host]!, this.#busyOut[host]!, 'send'))
      uses.push(use(this.#bytesIn[host]!, this.#busyIn[host]!, 'receive'))
    }
    return uses
      .sort((a, b) => b.busy - a.busy || b.bytes - a.bytes || a.link - b.link)
      .slice(0, count)
  }
}
