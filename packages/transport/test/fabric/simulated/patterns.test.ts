import { describe, expect, test } from 'vitest'

import { patternRates } from '../../../src/fabric/simulated/link/pattern-rates.js'
import { checkRouting } from '../../../src/fabric/simulated/routing/check-routing.js'
import {
  routingNamed,
  type RoutingName,
} from '../../../src/fabric/simulated/routing/routing-names.js'
import type { Topology } from '../../../src/fabric/simulated/topology/topology.js'
import { randomBelow, shuffled } from './random.js'
import { examples } from './topologies.js'

type Pairs = [number, number][]

/** One half sends to the other. */
function bisection(hosts: number, seed: number): Pairs {
  const order = shuffled(hosts, randomBelow(seed))
  return Array.from({ length: hosts / 2 }, (_, i) => [order[2 * i]!, order[2 * i + 1]!])
}

/** Hosts in pairs, all of which send. */
function pairings(hosts: number, seed: number): Pairs {
  return bisection(hosts, seed).flatMap(([a, b]) => [
    [a, b],
    [b, a],
  ])
}

function shift(hosts: number, distance: number, order?: readonly number[]): Pairs {
  return Array.from({ length: hosts }, (_, i) => {
    const j = (i + distance) % hosts
    return [order?.[i] ?? i, order?.[j] ?? j]
  })
}

const SEEDS = [1, 2, 3, 4, 5]

function meanOf(
  topology: Topology,
  name: RoutingName,
  pattern: (hosts: number, seed: number) => Pairs,
): number {
  const values = SEEDS.map(
    (seed) => patternRates(routingNamed(topology, name, seed), pattern(topology.hosts, seed)).mean,
  )
  return values.reduce((a, b) => a + b) / values.length
}

// Mean fraction of a link's rate, from an independent calculation with the same model; ± 0.03.
describe('V5: random patterns get the max-min rates of the reference', () => {
  const rows: [string, () => Topology, RoutingName, typeof bisection, number][] = [
    ['two levels, 512', examples.twoLevel512, 'd-mod-k', bisection, 0.81],
    ['two levels, 648', examples.twoLevel648, 'd-mod-k', bisection, 0.81],
    ['two levels, 512', examples.twoLevel512, 'hash', bisection, 0.69],
    ['two levels, 512', examples.twoLevel512, 'adaptive', bisection, 0.81],
    ['two levels, 512', examples.twoLevel512, 'adaptive-global', bisection, 1],
    ['three levels, 512', examples.threeLevel512, 'd-mod-k', bisection, 0.72],
    ['three levels, 1728', examples.threeLevel1728, 'd-mod-k', bisection, 0.71],
    ['three levels, 512', examples.threeLevel512, 'adaptive', bisection, 0.73],
    ['three levels, 1728', examples.threeLevel1728, 'adaptive', bisection, 0.71],
    ['two levels, 512', examples.twoLevel512, 'd-mod-k', pairings, 0.667],
    ['two levels, 512', examples.twoLevel512, 'hash', pairings, 0.525],
    ['two levels, 512', examples.twoLevel512, 'adaptive', pairings, 0.667],
    ['two levels, 512', examples.twoLevel512, 'adaptive-global', pairings, 0.865],
    ['three levels, 512', examples.threeLevel512, 'd-mod-k', pairings, 0.57],
    ['three levels, 1728', examples.threeLevel1728, 'd-mod-k', pairings, 0.538],
    ['three levels, 512', examples.threeLevel512, 'hash', pairings, 0.445],
    ['three levels, 1728', examples.threeLevel1728, 'hash', pairings, 0.425],
    ['three levels, 512', examples.threeLevel512, 'adaptive', pairings, 0.56],
    ['three levels, 1728', examples.threeLevel1728, 'adaptive', pairings, 0.546],
  ]
  test.each(
    rows.map(([name, topology, routing, pattern, mean]) => ({
      name,
      topology,
      routing,
      pattern,
      title: pattern.name,
      mean,
    })),
  )('$name, $routing, $title: $mean', ({ topology, routing, pattern, mean }) => {
    expect(Math.abs(meanOf(topology(), routing, pattern) - mean)).toBeLessThanOrEqual(0.03)
  })

  // Hoefler, Schneider, Lumsdaine, CLUSTER 2008: 55 to 60 % on production fat trees.
  test.each([
    ['512', examples.threeLevel512],
    ['1728', examples.threeLevel1728],
  ])(
    'a bisection of three levels (%s) with random static routing is within 55 to 60 %%',
    (_, of) => {
      const mean = meanOf(of(), 'hash', bisection)
      expect(mean).toBeGreaterThanOrEqual(0.55)
      expect(mean).toBeLessThanOrEqual(0.6)
    },
  )
})

describe('V6: d-mod-k', () => {
  test.each([
    ['two levels, 512', examples.twoLevel512],
    ['two levels, 648', examples.twoLevel648],
    ['three levels, 512', examples.threeLevel512],
  ])('carries every shift on %s without contention', (_, of) => {
    const routing = routingNamed(of(), 'd-mod-k')
    const { hosts } = routing.topology
    for (let distance = 1; distance < hosts; distance++) {
      const { load } = patternLoad(routing, shift(hosts, distance))
      expect(load).toBe(1)
    }
    expect(patternRates(routing, shift(hosts, 7)).mean).toBe(1)
  })

  // Zahavi 2012: -40 % on average.
  test('loses a third to a half when ranks are in random order', () => {
    const routing = routingNamed(examples.twoLevel648(), 'd-mod-k')
    const order = shuffled(648, randomBelow(1))
    const { mean } = patternRates(routing, shift(648, 1, order))
    expect(mean).toBeGreaterThan(0.5)
    expect(mean).toBeLessThan(0.7)
  })

  test('uses every switch of each level', () => {
    const { levels } = checkRouting(routingNamed(examples.twoLevel648(), 'd-mod-k'))
    expect(levels).toEqual([
      { level: 1, switches: 36, carrying: 36 },
      { level: 2, switches: 18, carrying: 18 },
    ])
  })
})

/** Pairs on the most loaded link. */
function patternLoad(routing: ReturnType<typeof routingNamed>, pairs: Pairs): { load: number } {
  const load = new Int32Array(routing.topology.links)
  const path = new Int32Array(routing.linksMax)
  let most = 0
  for (const [source, dest] of pairs) {
    const length = routing.route(source, dest, path)
    for (let i = 0; i < length; i++) most = Math.max(most, ++load[path[i]!]!)
  }
  return { load: most }
}
