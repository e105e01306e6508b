import { costsOf, type FabricModel, HopCounter } from '@commworld/transport/simulated'
import { defineCollective, type Algorithm } from '../coll/plan/algorithm.js'
import type { PathPart } from './rank-times.js'
import { SimulationError } from './simulation-error.js'

/**
 * Reduction by the switches themselves, in the manner of SHARP: operands flow up a tree of switches,
 * each combines what its ports bring, and the result comes back down as a multicast. No rank folds
 * anything, and none sends more than its own vector once. It has no rounds of ranks: only the
 * simulated fabric runs it.
 */
export const inNetwork: Algorithm = defineCollective({
  collective: 'allreduce',
  name: 'in-network',
  title: 'reduction in switches (SHARP)',
  source: 'Graham et al. 2016',
  use: 'networks whose switches reduce',
  cost: 'one way up and one down, m',
  rounds: () => 0,
  volume: () => 1,
  round() {},
})

/** What an in-network reduction takes, by closed form: all ranks begin and end together. */
export interface InNetworkTime {
  readonly timePs: number
  readonly parts: Readonly<Record<PathPart, number>>
}

/**
 * Ranks of a node meet in their first one by a binomial tree in shared memory; those go by the
 * network; the way back is the same.
 *
 * @throws SimulationError when the switches of the network do not reduce
 */
export function inNetworkTime(model: FabricModel, hosts: number, bytes: number): InNetworkTime {
  const { network, host, ranksPerHost } = model
  const reduction = network.inNetwork
  if (reduction === undefined) {
    throw new SimulationError(`switches of ${network.title} do not reduce (in-network)`)
  }
  const costs = costsOf(model)
  const steps = Math.ceil(Math.log2(ranksPerHost))
  const local = costs.sharedMemory.isolatedPs(bytes)
  const computing = Math.round(steps * bytes * host.reduceNsPerByte.value * 1000)
  const overhead = costs.network.sendOverheadPs + costs.network.receiveOverheadPs
  const switches = farthest(model, hosts)
  const levels = (switches + 1) / 2
  const combine = Math.round(levels * reduction.combineNs.value * 1000)
  const latency = costs.network.latencyOver(switches) + combine
  const transfer = 2 * steps * local + transferPs(model, bytes)
  const parts = { computing, overhead, latency, transfer, contention: 0 }
  return { parts, timePs: computing + overhead + latency + transfer }
}

/** As operations of few bytes one after the other, or streaming, whichever is faster. */
function transferPs({ network }: FabricModel, bytes: number): number {
  const { operationBytes, intervalNs, streamingShare } = network.inNetwork!
  const operations = Math.max(1, Math.ceil(bytes / operationBytes.value))
  const perByte = network.nsPerByte.value
  const pieces =
    (operations - 1) * intervalNs.value + Math.min(bytes, operationBytes.value) * perByte
  const stream = streamingShare === undefined ? Infinity : (bytes * perByte) / streamingShare.value
  return Math.round(Math.min(pieces, Math.max(stream, operationBytes.value * perByte)) * 1000)
}

/** Switches between the two hosts that are farthest from each other. */
function farthest({ routing }: FabricModel, hosts: number): number {
  const hops = new HopCounter(routing.topology)
  let most = 1
  for (let other = 1; other < hosts; other++) most = Math.max(most, hops.between(0, other))
  return most
}
