import fc from 'fast-check'
import { networkProfiles, type NetworkProfile } from '@commworld/transport/simulated'
import { describe, expect, test } from 'vitest'

import { defineCollective } from '../../src/coll/plan/algorithm.js'
import { HIGHER, IN, OUT, TMP } from '../../src/coll/plan/buffer.js'
import { simulateCollective } from '../../src/simulate/simulate-collective.js'
import { crossbar, idleHost, logGopsModel } from './models.js'

const ns = (finish: Float64Array): number[] => [...finish].map((ps) => ps / 1000)

/** Half of the ranks left send to the other half, as Schedgen has it. */
const halvingReduce = defineCollective({
  collective: 'reduce',
  name: 'halving-tree',
  title: 'binomial tree, far ranks first',
  source: 'test',
  use: 'test',
  cost: 'test',
  rounds: ({ size }) => Math.log2(size),
  volume: () => 1,
  round(k, { size, rank }, emit) {
    const distance = size >> (k + 1)
    if (k === 0 && rank < distance) emit.copy(IN, 0, OUT, 0)
    if (rank < distance) emit.receiveReduce(rank + distance, OUT, 0, 1, HIGHER)
    else if (rank < 2 * distance) emit.send(rank - distance, k === 0 ? IN : OUT, 0)
  },
})

// doc/README and README.md of LogGOPSim 76451de.
describe('V1: LogGOPS', () => {
  test('dissemination of 16 ranks takes 22 us', () => {
    const { timePs } = simulateCollective({
      collective: 'barrier',
      algorithm: 'dissemination',
      ranks: 16,
      bytes: 0,
      model: logGopsModel(16),
    })
    expect(timePs).toBe(22_000_000)
  })

  test('a binomial reduce of 1024 B over 8 hosts ends when LogGOPSim says', () => {
    const request = { collective: 'reduce', ranks: 8, bytes: 1024, model: logGopsModel(8) } as const
    const { finishPs } = simulateCollective({ ...request, algorithm: halvingReduce })
    expect(ns(finishPs)).toEqual([34914, 24776, 13138, 13138, 1500, 1500, 1500, 1500])
    const own = simulateCollective({ ...request, algorithm: 'binomial-tree' })
    expect(ns(own.finishPs).sort((a, b) => b - a)).toEqual(ns(finishPs))
  })
})

/** One message from rank 0 to rank 1. */
function oneMessage(network: NetworkProfile, bytes: number) {
  const model = crossbar(network.name, 2, { network, host: idleHost })
  return simulateCollective({ collective: 'bcast', algorithm: 'linear', ranks: 2, bytes, model })
}

describe('a lone message', () => {
  test('takes 2 o + L + (n - 1) G by LogGP', () => {
    const parameters = fc.record({
      latencyNs: fc.nat(5000),
      overheadNs: fc.nat(2000),
      gapNs: fc.nat(2000),
      nsPerByte: fc.nat(8),
    })
    const property = fc.property(parameters, fc.integer({ min: 1, max: 10_000 }), (p, bytes) => {
      const model = logGopsModel(2, p)
      const run = simulateCollective({
        collective: 'bcast',
        algorithm: 'linear',
        ranks: 2,
        bytes,
        model,
      })
      const wanted = 2 * p.overheadNs + p.latencyNs + (bytes - 1) * p.nsPerByte
      expect(run.finishPs[1]! / 1000).toBeCloseTo(wanted, 3)
    })
    fc.assert(property)
  })

  test.each(networkProfiles.map((network) => [network.name, network] as const))(
    'V4: of %s takes what its table says',
    (_, network) => {
      for (const { bytes, ns: wanted } of network.knots) {
        const seen = oneMessage(network, bytes).finishPs[1]! / 1000
        expect(Math.abs(seen - wanted) / wanted).toBeLessThan(0.1)
      }
    },
  )

  test('pays for a handshake where it is known and not in the table', () => {
    const parameters = {
      latencyNs: 1000,
      overheadNs: 200,
      gapNs: 0,
      nsPerByte: 1,
      eagerLimitBytes: 100,
    }
    const bytes = 101
    const time = (handshake: boolean) => {
      const model = logGopsModel(2, parameters, { handshake })
      return (
        simulateCollective({ collective: 'bcast', algorithm: 'linear', ranks: 2, bytes, model })
          .finishPs[1]! / 1000
      )
    }
    // Request, fetch and bytes: three latencies, and the receiver turns to it twice.
    expect(time(false)).toBe(200 + 1000 + 200 + 1000 + 1000 + 100 + 200)
  })
})

/** Three messages, a long one first, between the same two ranks. */
const threeInARow = defineCollective({
  collective: 'gather',
  name: 'three-in-a-row',
  title: 'three messages',
  source: 'test',
  use: 'test',
  cost: 'test',
  scratch: () => [0, 1, 2],
  rounds: () => 1,
  volume: () => 5,
  round(_, { rank }, emit) {
    const counts = [3, 1, 1]
    for (const count of counts) {
      if (rank === 1) emit.send(0, TMP, 0, count)
      else emit.receive(1, TMP, 0, count)
    }
  },
})

describe('messages between two ranks', () => {
  test.each([1, 2] as const)('do not overtake each other, layer %i', (layer) => {
    // Two blocks more go a quarter of the limit beyond that of eager messages, or take much longer.
    for (const bytes of [8, 3000, 5000, 20_000, 60_000]) {
      const model = crossbar('edr', 2, { layer, host: idleHost })
      const request = {
        collective: 'gather',
        algorithm: threeInARow,
        ranks: 2,
        bytes,
        model,
      } as const
      // A message in the wrong place would not be as long as its receive.
      const { messages, sharesOf } = simulateCollective(request)
      expect(messages).toBe(3)
      expect(sharesOf(0).waitingPs).toBeGreaterThanOrEqual(0)
    }
  })
})

describe('a broadcast', () => {
  test('along a binomial tree ends when LogP says', () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 64 }),
      fc.record({ latencyNs: fc.nat(3000), overheadNs: fc.nat(1000), gapNs: fc.nat(3000) }),
      (ranks, p) => {
        const model = logGopsModel(ranks, { ...p, nsPerByte: 0 })
        const request = {
          collective: 'bcast',
          algorithm: 'binomial-tree',
          ranks,
          bytes: 8,
          model,
        } as const
        const { finishPs } = simulateCollective(request)
        // An oracle by recursion: who has it when, children in the order of falling subtrees.
        const done: number[] = []
        const visit = (rank: number, span: number, start: number): void => {
          let clock = start
          let free = 0
          for (let step = span / 2; step >= 1; step /= 2) {
            if (rank + step >= ranks) continue
            clock += p.overheadNs
            const leaves = Math.max(clock, free)
            free = leaves + p.gapNs
            visit(rank + step, step, leaves + p.latencyNs + p.overheadNs)
          }
          done[rank] = clock
        }
        visit(0, 2 ** Math.ceil(Math.log2(ranks)), 0)
        expect(ns(finishPs)).toEqual(done)
      },
    )
    fc.assert(property, { numRuns: 60 })
  })
})

describe('V10: eight hosts that send to one', () => {
  const incast = (layer: 1 | 2, bytes: number) =>
    simulateCollective({
      collective: 'gather',
      algorithm: 'linear',
      ranks: 9,
      bytes,
      model: crossbar('hdr', 9, { layer, host: idleHost }),
    })

  test.each([4096, 65_536, 2 ** 20])('are no faster than its interface, %i B', (bytes) => {
    const least = (8 * (bytes - 1) * 41.07) | 0
    const [one, two] = [incast(1, bytes), incast(2, bytes)]
    for (const { timePs } of [one, two]) expect(timePs).toBeGreaterThanOrEqual(least)
    // Short messages end one by one in layer 1, and together in layer 2.
    expect(Math.abs(one.timePs / two.timePs - 1)).toBeLessThan(bytes < 65_536 ? 0.2 : 0.05)
  })

  test('spend most of their time on contention', () => {
    const { classes, sharesOf } = incast(1, 2 ** 20)
    expect(classes[0]!.bound).toBe('contention')
    expect(sharesOf(0).contentionPs).toBeGreaterThan(sharesOf(0).finishPs / 2)
  })
})
