import type { LinkLoad } from '@commworld/transport/simulated'
import type { RunResult } from './run-result.js'

/** Bytes that each link carried in each step of a run. */
export interface LinkLoads {
  /** By link, then by step. */
  readonly loads: Float64Array
  /** Links that carried something. */
  readonly used: readonly number[]
}

/** Nothing is on any link. */
const IDLE: LinkLoad = { loadOf: () => 0 }

/**
 * Spreads the bytes of each recorded message over its way and its time. The way of adaptive routing is
 * the one that an idle network would choose.
 */
export function linkLoads({ record, model, hostOf, timePs }: RunResult, steps: number): LinkLoads {
  const { routing } = model
  const loads = new Float64Array(routing.topology.links * steps)
  const path = new Int32Array(routing.linksMax)
  if (record === undefined || timePs === 0) return { loads, used: [] }
  for (let message = 0; message < record.messages; message++) {
    const from = hostOf[record.from[message]!]!
    const to = hostOf[record.to[message]!]!
    if (from === to) continue
    const length = routing.route(from, to, path, IDLE)
    const begin = (record.sentAt[message]! / timePs) * steps
    const end = (record.arrivedAt[message]! / timePs) * steps
    const first = Math.min(steps - 1, Math.floor(begin))
    const last = Math.min(steps - 1, Math.max(first, Math.ceil(end) - 1))
    const share = record.bytes[message]! / (last - first + 1)
    for (let hop = 0; hop < length; hop++) {
      const row = path[hop]! * steps
      for (let step = first; step <= last; step++) loads[row + step]! += share
    }
  }
  const used: number[] = []
  for (let link = 0; link < routing.topology.links; link++) {
    if (loads.subarray(link * steps, (link + 1) * steps).some((load) => load > 0)) used.push(link)
  }
  return { loads, used }
}
