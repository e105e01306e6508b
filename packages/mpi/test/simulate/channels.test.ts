import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { Channels } from '../../src/simulate/channels.js'

describe('Channels', () => {
  test('are a map, however keys collide and are removed', () => {
    const keys = fc.oneof(
      fc.nat(20),
      fc.nat(20).map((n) => n * 4096),
      fc.nat(2 ** 32 * 4),
    )
    const steps = fc.array(fc.tuple(keys, fc.boolean()), { maxLength: 200 })
    const property = fc.property(steps, (list) => {
      const channels = new Channels(8)
      const oracle = new Map<number, number>()
      list.forEach(([key, removes], item) => {
        const at = channels.find(key)
        expect(at >= 0).toBe(oracle.has(key))
        if (at < 0) {
          channels.add(key, item)
          oracle.set(key, item)
        } else if (removes) {
          channels.remove(at)
          oracle.delete(key)
        } else {
          channels.setFirst(at, item)
          oracle.set(key, item)
        }
        for (const [known, value] of oracle) {
          expect(channels.first(channels.find(known))).toBe(value)
        }
      })
    })
    fc.assert(property, { numRuns: 200 })
  })
})
