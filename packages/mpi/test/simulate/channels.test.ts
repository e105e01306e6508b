import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { Channels, NOTHING } from '../../src/simulate/channels.js'

describe('Channels', () => {
  test('are a queue for each pair of ranks', () => {
    const size = 300
    const ranks = fc.oneof(fc.nat(3), fc.nat(size - 1))
    const steps = fc.array(fc.tuple(ranks, ranks, fc.boolean()), { maxLength: 300 })
    const property = fc.property(steps, (list) => {
      const channels = new Channels(size)
      const oracle = new Map<string, number[]>()
      list.forEach(([rank, peer, takes], number) => {
        const queue = oracle.get(`${rank} ${peer}`) ?? []
        oracle.set(`${rank} ${peer}`, queue)
        if (takes && queue.length > 0) {
          queue.shift()
          channels.advance(rank, peer, queue[0] ?? NOTHING)
        } else {
          const item = number % 2 === 0 ? number : ~number
          expect(channels.append(rank, peer, item)).toBe(queue.at(-1) ?? NOTHING)
          queue.push(item)
        }
        expect(channels.first(rank, peer)).toBe(queue[0] ?? NOTHING)
      })
      for (const [pair, queue] of oracle) {
        const [rank, peer] = pair.split(' ').map(Number) as [number, number]
        expect(channels.first(rank, peer)).toBe(queue[0] ?? NOTHING)
      }
    })
    fc.assert(property, { numRuns: 200 })
  })

  test('hold many peers of one rank', () => {
    const channels = new Channels(5000)
    for (let peer = 0; peer < 5000; peer++) channels.append(7, peer, peer)
    for (let peer = 4999; peer >= 0; peer--) {
      expect(channels.first(7, peer)).toBe(peer)
      channels.advance(7, peer, NOTHING)
      expect(channels.first(7, peer)).toBe(NOTHING)
    }
  })
})
