import fc from 'fast-check'

import { dragonfly } from '../../../src/fabric/simulated/topology/dragonfly.js'
import {
  fatTree,
  kAryNTree,
  singleSwitch,
} from '../../../src/fabric/simulated/topology/fat-tree.js'
import type { Topology } from '../../../src/fabric/simulated/topology/topology.js'
import { torus } from '../../../src/fabric/simulated/topology/torus.js'

const small = (min: number, max: number) => fc.integer({ min, max })

/** Fat trees of one to three levels, oversubscribed and with parallel cables too. */
export const fatTrees: fc.Arbitrary<Topology> = fc
  .integer({ min: 1, max: 3 })
  .chain((levels) =>
    fc.record({
      children: fc.array(small(1, 4), { minLength: levels, maxLength: levels }),
      parents: fc.array(small(1, 3), { minLength: levels, maxLength: levels }),
      cables: fc.array(small(1, 2), { minLength: levels, maxLength: levels }),
    }),
  )
  .map(({ children, parents, cables }) =>
    fatTree({ children, parents: [1, ...parents.slice(1)], cables: [1, ...cables.slice(1)] }),
  )

export const tori: fc.Arbitrary<Topology> = fc
  .record({
    dimensions: fc.array(small(1, 5), { minLength: 1, maxLength: 3 }),
    hostsPerSwitch: small(1, 2),
  })
  .filter(({ dimensions }) => dimensions.reduce((a, b) => a * b) <= 40)
  .map(torus)

export const dragonflies: fc.Arbitrary<Topology> = fc
  .record({
    groups: small(1, 5),
    routers: small(1, 4),
    hostsPerRouter: small(1, 2),
    globalPorts: small(1, 2),
  })
  .filter(({ groups, routers, globalPorts }) => routers * globalPorts >= groups - 1)
  .map(dragonfly)

export const topologies = fc.oneof(fatTrees, tori, dragonflies)

export const examples = {
  twoLevel512: () => fatTree({ children: [16, 32], parents: [1, 16] }),
  twoLevel648: () => fatTree({ children: [18, 36], parents: [1, 18] }),
  threeLevel512: () => kAryNTree({ k: 8, n: 3 }),
  threeLevel1728: () => kAryNTree({ k: 12, n: 3 }),
  crossbar: (hosts: number) => singleSwitch(hosts),
}
