import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import {
  fabricModel,
  type FabricModel,
  fatTree,
  hdr,
  ImportError,
  loadFabric,
  type NetworkProfile,
  networkProfiles,
  profileNamed,
  routingNamed,
  singleSwitch,
} from '@commworld/transport/simulated'

/** Ports of an HDR switch. */
const RADIX = 40

/**
 * What is simulated when no cluster is described: a network, and the smallest full tree of 40-port switches
 * that fits.
 */
export function usualFabric(hosts: number, network: NetworkProfile = hdr): FabricModel {
  const half = RADIX / 2
  const topology =
    hosts <= RADIX
      ? singleSwitch(hosts)
      : hosts <= half * RADIX
        ? fatTree({ children: [half, Math.ceil(hosts / half)], parents: [1, half] })
        : fatTree({
            children: [half, half, Math.ceil(hosts / half ** 2)],
            parents: [1, half, half],
          })
  return fabricModel({ routing: routingNamed(topology, 'd-mod-k'), network })
}

/**
 * The cluster of a file, or the usual one with the network of that name where there is no such file.
 *
 * @param hosts that the usual one must have
 * @throws ImportError
 */
export function fabricNamed(path: string, hosts: number): FabricModel {
  if (existsSync(path)) return loadFabric(path)
  const name = basename(path)
  const network = profileNamed(name)
  if (network !== undefined) return usualFabric(hosts, network)
  if (name.includes('.')) return loadFabric(path)
  const names = networkProfiles.map((profile) => profile.name).join(', ')
  throw new ImportError(name, 0, `is neither a file nor a network; networks are ${names}`)
}
