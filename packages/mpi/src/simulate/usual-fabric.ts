import {
  fabricModel,
  type FabricModel,
  fatTree,
  hdr,
  routingNamed,
  singleSwitch,
} from '@commworld/transport/simulated'

/** Ports of an HDR switch. */
const RADIX = 40

/** What is simulated when no fabric is named: HDR, and the smallest full tree of its switches that fits. */
export function usualFabric(hosts: number): FabricModel {
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
  return fabricModel({ routing: routingNamed(topology, 'd-mod-k'), network: hdr })
}
