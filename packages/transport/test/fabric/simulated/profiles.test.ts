import { describe, expect, test } from 'vitest'

import { simGridLink } from '../../../src/fabric/simulated/import/simgrid-network.js'
import {
  EndpointCosts,
  NetworkCosts,
} from '../../../src/fabric/simulated/profile/endpoint-costs.js'
import { fromGpuMemory } from '../../../src/fabric/simulated/profile/gpu-memory.js'
import { edr, hdr } from '../../../src/fabric/simulated/profile/infiniband.js'
import {
  describeProfile,
  networkProfiles,
} from '../../../src/fabric/simulated/profile/profile-names.js'
import { SizeTable } from '../../../src/fabric/simulated/profile/size-table.js'

describe('SizeTable', () => {
  test('interpolates between knots, and goes on as it ended', () => {
    const table = new SizeTable([
      { bytes: 0, ns: 100 },
      { bytes: 10, ns: 200 },
      { bytes: 30, ns: 260 },
    ])
    expect([-1, 0, 5, 10, 20, 30, 50].map((bytes) => table.at(bytes))).toEqual([
      100, 100, 150, 200, 230, 260, 320,
    ])
    expect(table.lastSlope).toBe(3)
  })
})

describe('networkProfiles', () => {
  test.each(networkProfiles.map((profile) => [profile.name, profile] as const))(
    '%s says where each number is from, and its parts add up to its table',
    (_, profile) => {
      for (const line of describeProfile(profile)) expect(line.trim().length).toBeGreaterThan(3)
      const costs = new NetworkCosts(profile)
      for (let bytes = 1; bytes <= 2 ** 22; bytes *= 2) {
        const parts = costs.extraPs(bytes) + costs.bytesPs(bytes)
        const handshake = costs.isEager(bytes) ? 0 : 2 * costs.latencyPs + costs.receiveOverheadPs
        const ends = costs.sendOverheadPs + costs.latencyPs + costs.receiveOverheadPs
        const wanted = costs.isolatedPs(bytes)
        const off = Math.abs(parts + handshake + ends - wanted) / wanted
        expect(off).toBeLessThan(0.1)
      }
    },
  )

  test('charge for every switch beyond the measured', () => {
    const costs = new NetworkCosts(edr)
    expect(costs.latencyOver(5) - costs.latencyOver(1)).toBe(4 * costs.hopPs)
  })
})

// The formulas of SimGrid's models (docs and teshsuite); sizes of 100 kB and 10 GB.
describe('V3: simGridLink', () => {
  test('LV08: 100 kB over 1 Mb/s and 10 ms', () => {
    const profile = simGridLink({ model: 'LV08', latencySeconds: 0.01, bytesPerSecond: 125_000 })
    const seconds = new EndpointCosts(profile).isolatedPs(100_000) / 1e12
    expect(Math.abs(seconds / 0.996079 - 1)).toBeLessThan(1e-6)
  })

  test.each([
    [0, 1],
    [1e-5, 1.00001],
    [1e-3, 4.769372],
    [0.1, 476.937158],
  ])('CM02 with a TCP window, latency %d s: %d s', (latencySeconds, wanted) => {
    const profile = simGridLink({ model: 'CM02', latencySeconds, bytesPerSecond: 1e10 })
    const seconds = new EndpointCosts(profile).isolatedPs(1e10) / 1e12
    expect(Math.abs(seconds / wanted - 1)).toBeLessThan(1e-6)
  })
})

describe('V13: fromGpuMemory', () => {
  const time = (direct: boolean, fastCopy: boolean, bytes: number): number =>
    new EndpointCosts(fromGpuMemory(hdr, { direct, fastCopy })).isolatedPs(bytes) / 1e6

  test('orders the four ways as measured, short and long', () => {
    const order = (bytes: number): string =>
      [
        ['both', time(true, true, bytes)],
        ['direct', time(true, false, bytes)],
        ['copies', time(false, true, bytes)],
        ['neither', time(false, false, bytes)],
      ]
        .sort((a, b) => Number(a[1]) - Number(b[1]))
        .map(([name]) => name)
        .join(' < ')
    expect(order(1)).toBe('both < copies < neither < direct')
    expect(order(2 ** 20)).toBe('direct < both < neither < copies')
    expect(order(2 ** 22)).toBe('direct < both < neither < copies')
    const [first, second] = order(2 ** 16).split(' < ')
    expect([first, second].sort()).toEqual(['both', 'direct'])
  })

  test('takes what was measured', () => {
    expect(time(true, true, 1)).toBeCloseTo(4.06, 2)
    expect(time(false, true, 4096)).toBeCloseTo(25, 2)
    expect(time(false, false, 2 ** 20)).toBeCloseTo(161, 1)
  })
})
