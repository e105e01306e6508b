import type { EventQueue } from '../kernel/event-queue.js'
import { FlowSystem } from '../link/flow-system.js'
import type { NetworkCosts } from '../profile/endpoint-costs.js'
import { type Routing, switchHops } from '../routing/routing.js'
import { TopologyError } from '../topology/topology-error.js'
import { firstOf } from './busiest-links.js'
import { DELIVERED, event, FLOW_BEGINS, FLOW_ENDS, RATES_CHANGE } from './event-kinds.js'
import { HopCounter } from './hop-counter.js'
import { twice } from '../../../memory/twice.js'
import { MessageTimes } from './message-times.js'
import type { LayerCard, LinkUse, Network, Receiver } from './network.js'

/**
 * Layer 2: the endpoints of layer 1 over routed links that messages share fairly. Latency comes first,
 * then a message is a flow until its bytes are through; an interface is a link like any other.
 */
export class RoutedNetwork implements Network {
  readonly card: LayerCard = {
    layer: 2,
    title: 'LogGOPS endpoints, messages as flows over routed links with max-min sharing',
    ignores: [
      'packets, credits and head-of-line blocking: shares are upper bounds',
      'unfair arbitration between the inputs of a switch',
      'memory bandwidth that ranks of a node share',
      'noise of the operating system',
    ],
  }
  readonly times = new MessageTimes()
  readonly #queue: EventQueue
  readonly #receiver: Receiver
  readonly #costs: NetworkCosts
  readonly #routing: Routing
  readonly #hops: HopCounter | undefined
  readonly #flows: FlowSystem
  readonly #path: Int32Array
  readonly #sendFree: Float64Array
  /** When the interface of a host can hand over the next message. */
  readonly #receiveFree: Float64Array
  readonly #psPerByte: number
  /** When a message became a flow. */
  #begunAt = new Float64Array(256)

  /**
   * @param capacity of each link, as a share of the rate of an interface
   * @param psPerByte what work is counted in, to tell bytes
   */
  constructor(
    queue: EventQueue,
    receiver: Receiver,
    routing: Routing,
    costs: NetworkCosts,
    links: { readonly capacity: Float64Array; readonly psPerByte: number },
  ) {
    this.#queue = queue
    this.#receiver = receiver
    this.#routing = routing
    this.#costs = costs
    this.#psPerByte = links.psPerByte
    this.#path = new Int32Array(routing.linksMax)
    this.#flows = new FlowSystem(queue, links.capacity, routing.linksMax)
    this.#sendFree = new Float64Array(routing.topology.hosts)
    this.#receiveFree = new Float64Array(routing.topology.hosts)
    // Static ways may be longer than the shortest; adaptive ones are shortest, and not known yet.
    this.#hops = routing.adaptive ? new HopCounter(routing.topology) : undefined
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
    this.#sendFree[from] = start + this.#costs.gapPs
    const latency = this.#costs.latencyOver(this.#hopsBetween(from, to))
    times.readyAt[message] = ready
    times.latency[message] = latency
    times.contention[message] = start - ready
    times.bytesTime[message] = this.#costs.bytesPs(bytes)
    times.source[message] = from
    times.dest[message] = to
    this.#queue.push(start + latency + extraPs, event(FLOW_BEGINS, message))
  }

  handle(kind: number, id: number): void {
    if (kind === RATES_CHANGE) this.#flows.settle()
    else if (kind === FLOW_BEGINS) this.#begin(id)
    else if (kind === FLOW_ENDS) this.#end(id)
    else if (kind === DELIVERED) this.#receiver.delivered(id)
  }

  #begin(message: number): void {
    const { times } = this
    const work = times.bytesTime[message]!
    if (work === 0) return this.#handOver(message)
    while (this.#begunAt.length < times.capacity) this.#begunAt = twice(this.#begunAt)
    this.#begunAt[message] = this.#queue.now
    const length = this.#route(times.source[message]!, times.dest[message]!)
    this.#flows.begin(message, work, this.#path, length)
  }

  #end(flow: number): void {
    const message = this.#flows.end(flow)
    if (message < 0) return
    const { times } = this
    const alone = this.#begunAt[message]! + times.bytesTime[message]!
    times.contention[message]! += Math.max(0, this.#queue.now - alone)
    this.#handOver(message)
  }

  /** One message a gap. */
  #handOver(message: number): void {
    const { now } = this.#queue
    const host = this.times.dest[message]!
    const free = this.#receiveFree[host]!
    const time = free > now ? free : now
    this.#receiveFree[host] = time + this.#costs.gapPs
    if (time === now) return this.#receiver.delivered(message)
    this.times.contention[message]! += time - now
    this.#queue.push(time, event(DELIVERED, message))
  }

  #hopsBetween(from: number, to: number): number {
    if (this.#hops !== undefined) return this.#hops.between(from, to)
    return switchHops(this.#route(from, to))
  }

  #route(from: number, to: number): number {
    const length = this.#routing.route(from, to, this.#path, this.#flows)
    if (length > 0) return length
    const { topology } = this.#routing
    throw new TopologyError(
      `${topology.nameOf(from)} does not reach ${topology.nameOf(to)} by ${this.#routing.name}`,
    )
  }

  busiest(count: number, endTime: number): LinkUse[] {
    const { topology } = this.#routing
    const flows = this.#flows
    const before = (a: number, b: number): boolean => {
      const more = flows.carriedOf(a) - flows.carriedOf(b)
      return more > 0 || (more === 0 && flows.busyOf(a) > flows.busyOf(b))
    }
    return firstOf(topology.links, count, before)
      .filter((link) => flows.peakOf(link) > 0)
      .map((link) => ({
        link,
        name: topology.linkName(link),
        bytes: Math.round(flows.carriedOf(link) / this.#psPerByte),
        busy: endTime > 0 ? Math.min(1, flows.busyOf(link) / endTime) : 0,
        peak: flows.peakOf(link),
      }))
  }
}
