import type { FabricModel } from '@commworld/transport/simulated'
import { SimulationError } from './simulation-error.js'

/** The host of each rank. @throws SimulationError when there are more ranks than places */
export function placeRanks(model: FabricModel, ranks: number): Int32Array {
  const { ranksPerHost, placement, routing } = model
  const { hosts } = routing.topology
  const needed = Math.ceil(ranks / ranksPerHost)
  if (needed > hosts) {
    throw new SimulationError(
      `${ranks} ranks do not fit: ${routing.topology.name} has ${hosts} hosts with ` +
        `${ranksPerHost} ${ranksPerHost === 1 ? 'rank' : 'ranks'} each`,
    )
  }
  return Int32Array.from({ length: ranks }, (_, rank) =>
    placement === 'block' ? Math.floor(rank / ranksPerHost) : rank % needed,
  )
}
