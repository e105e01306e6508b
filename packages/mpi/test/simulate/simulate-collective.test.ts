import fc from 'fast-check'
import {
  fabricModel,
  fatTree,
  logGopsProfile,
  parseIbnetdiscover,
  routingNamed,
  torus,
} from '@commworld/transport/simulated'
import { describe, expect, test } from 'vitest'

import { defineCollective, unmet } from '../../src/coll/plan/algorithm.js'
import { TMP } from '../../src/coll/plan/buffer.js'
import { collectiveAlgorithms } from '../../src/coll/select/registry.js'
import { simulateCollective } from '../../src/simulate/simulate-collective.js'
import { crossbar, profile, twoLevels } from './models.js'

const call = { commutative: true, values: false, knownBlocks: true, equalBlocks: true }

const runs = fc
  .record({
    algorithm: fc.constantFrom(...collectiveAlgorithms),
    ranks: fc.integer({ min: 1, max: 20 }),
    bytes: fc.constantFrom(0, 8, 104, 5000, 40_000, 300_000),
    layer: fc.constantFrom(1 as const, 2 as const),
    ranksPerHost: fc.constantFrom(1, 2, 3, 32),
    placement: fc.constantFrom('block' as const, 'round-robin' as const),
    root: fc.nat(19),
  })
  .filter(({ algorithm, ranks, ranksPerHost }) => {
    const sharedMemory = ranks <= ranksPerHost
    return unmet(algorithm, { ...call, size: ranks, sharedMemory }) === undefined
  })

describe('simulateCollective', () => {
  test('ends for every algorithm, and accounts for all of the time', () => {
    const property = fc.property(runs, ({ algorithm, ranks, bytes, root, ...model }) => {
      const result = simulateCollective({
        collective: algorithm.collective,
        algorithm,
        ranks,
        bytes,
        root: root % ranks,
        model: twoLevels('hdr', 20, 5, model),
      })
      const parts = Object.values(result.criticalPath)
      expect(parts.reduce((a, b) => a + b)).toBeCloseTo(result.timePs, 0)
      for (const part of parts) expect(part).toBeGreaterThanOrEqual(0)
      for (let rank = 0; rank < ranks; rank++) {
        const { waitingPs, contentionPs, computingPs, overheadPs } = result.sharesOf(rank)
        for (const part of [waitingPs, contentionPs, computingPs, overheadPs]) {
          expect(part).toBeGreaterThanOrEqual(0)
        }
      }
      const steps = result.criticalMessages!
      steps.forEach(({ sentAtPs, arrivedAtPs }, i) => {
        expect(sentAtPs).toBeLessThanOrEqual(arrivedAtPs)
        if (i > 0) expect(steps[i - 1]!.arrivedAtPs).toBeLessThanOrEqual(sentAtPs)
      })
      // Each message is known by its way, and counted once.
      const counted = result.classes.reduce((sum, { messages }) => sum + messages, 0)
      expect(counted).toBe(result.messages)
    })
    fc.assert(property, { numRuns: 400 })
  })

  test('V12: is a function of its inputs: the event log is the same each time', () => {
    const request = {
      collective: 'allreduce',
      algorithm: 'rabenseifner',
      ranks: 60,
      bytes: 80_000,
      digest: true,
    } as const
    const parameters = { latencyNs: 900, overheadNs: 250, gapNs: 20, nsPerByte: 0.0812 }
    const digests = ([1, 2] as const).map((layer) => {
      const network = logGopsProfile({ ...parameters, eagerLimitBytes: 4096 })
      const run = () =>
        simulateCollective({
          ...request,
          model: twoLevels('edr', 20, 5, { network, layer, ranksPerHost: 3 }),
        })
      expect(run().digest).toBe(run().digest)
      return run().digest
    })
    // The same on every machine and with every version of Node.
    expect(digests).toMatchInlineSnapshot(`
      [
        "658822b0744a0552",
        "a8e7e9e05723be02",
      ]
    `)
  })

  test('layers agree where nothing is shared', () => {
    const request = { collective: 'allreduce', algorithm: 'recursive-doubling', ranks: 32 } as const
    for (const bytes of [8, 4096, 100_000]) {
      const times = ([1, 2] as const).map(
        (layer) =>
          simulateCollective({ ...request, bytes, model: crossbar('hdr', 32, { layer }) }).timePs,
      )
      expect(times[1]).toBe(times[0])
    }
  })

  test('layer 2 sees an oversubscribed tree, and layer 1 does not', () => {
    const time = (parents: number, layer: 1 | 2) => {
      const topology = fatTree({ children: [8, 4], parents: [1, parents] })
      const model = fabricModel({
        routing: routingNamed(topology, 'd-mod-k'),
        network: profile('hdr'),
        layer,
      })
      const request = {
        collective: 'alltoall',
        algorithm: 'pairwise',
        ranks: 32,
        bytes: 2 ** 20,
      } as const
      return simulateCollective({ ...request, model }).timePs
    }
    expect(time(2, 1)).toBe(time(8, 1))
    expect(time(2, 2)).toBeGreaterThan(2 * time(8, 2))
  })

  test('runs on a torus and names the busiest links', () => {
    const routing = routingNamed(torus({ dimensions: [4, 4] }), 'dimension-order')
    const model = fabricModel({ routing, network: profile('edr'), layer: 2 })
    const { busiest } = simulateCollective({
      collective: 'allgather',
      ranks: 16,
      bytes: 65_536,
      model,
    })
    expect(busiest.length).toBe(8)
    expect(busiest[0]!.name).toContain('switch (')
    expect(busiest[0]!.busy).toBeGreaterThan(0)
  })

  test('refuses what does not fit', () => {
    const request = { collective: 'allreduce', bytes: 8 } as const
    expect(() => simulateCollective({ ...request, ranks: 9, model: crossbar('hdr', 4) })).toThrow(
      '9 ranks do not fit: fat tree (4; 1) has 4 hosts with 1 rank each',
    )
    const model = crossbar('hdr', 4)
    expect(() => simulateCollective({ ...request, ranks: 4, algorithm: 'direct', model })).toThrow(
      'share memory',
    )
    expect(() => simulateCollective({ ...request, ranks: 4, algorithm: 'rign', model })).toThrow(
      'is not there',
    )
  })

  test('refuses a fabric in pieces', () => {
    const net = `Switch 2 "S1"
[1] "A"[1]
Switch 2 "S2"
[1] "B"[1]
Hca 1 "A"
[1] "S1"[1]
Hca 1 "B"
[1] "S2"[1]
`
    const routing = routingNamed(parseIbnetdiscover(net, 'net.txt'), 'minimal-hop')
    for (const layer of [1, 2] as const) {
      const model = fabricModel({ routing, network: profile('hdr'), layer })
      expect(() => simulateCollective({ collective: 'barrier', ranks: 2, model })).toThrow(
        layer === 1 ? 'no way leads from A to B' : 'A does not reach B by minimal-hop',
      )
    }
  })

  test('adaptive routing beats static hashing on layer 2', () => {
    const time = (name: 'hash' | 'adaptive' | 'd-mod-k'): number => {
      const topology = fatTree({ children: [8, 8], parents: [1, 8] })
      const model = fabricModel({
        routing: routingNamed(topology, name, 3),
        network: profile('hdr'),
        layer: 2,
      })
      const request = {
        collective: 'alltoall',
        algorithm: 'pairwise',
        ranks: 64,
        bytes: 2 ** 18,
      } as const
      return simulateCollective({ ...request, model }).timePs
    }
    expect(time('adaptive')).toBeLessThan(time('hash'))
    // A pairwise exchange is a sequence of shifts.
    expect(time('d-mod-k')).toBeLessThanOrEqual(time('adaptive'))
  })

  test('names ranks that wait for each other, and messages that do not fit', () => {
    const wrong = (round: Parameters<typeof defineCollective>[0]['round']) => () => {
      const card = { name: 'wrong', title: 'wrong', source: 'test', use: 'test', cost: 'test' }
      const collective = 'gather'
      const rest = { rounds: () => 1, volume: () => 1, scratch: () => [0, 1], round }
      const algorithm = defineCollective({ ...card, ...rest, collective })
      simulateCollective({ collective, algorithm, ranks: 2, model: crossbar('hdr', 2) })
    }
    expect(wrong((_, { rank }, emit) => emit.receive(1 - rank, TMP, 0))).toThrow(
      'ranks wait for each other: rank 0 before its end, with 1 under way; rank 1 before its end',
    )
    const uneven = wrong((_, { rank }, emit) => {
      if (rank === 0) emit.send(1, TMP, 0, 2)
      else emit.receive(0, TMP, 0, 1)
    })
    expect(uneven).toThrow('rank 0 sends 16 bytes to rank 1, which expects 8')
  })

  test('direct algorithms run within a node', () => {
    for (const bytes of [8, 100_000]) {
      const model = crossbar('hdr', 1, { ranksPerHost: 16 })
      const { timePs, messages } = simulateCollective({
        collective: 'allreduce',
        algorithm: 'direct',
        ranks: 16,
        bytes,
        model,
      })
      expect(messages).toBe(0)
      expect(timePs).toBeGreaterThan(0)
    }
  })
})
