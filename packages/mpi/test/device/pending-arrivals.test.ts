import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PendingArrivals } from '../../src/device/pending-arrivals.js'
import type { Peer } from '../../src/device/peer.js'

const peers = [0, 1, 2].map((rank) => ({ rank }) as Peer)

test('PendingArrivals gives each sender’s messages in order, whichever sender is chosen', () => {
  const steps = fc.oneof(fc.record({ add: fc.nat(2) }), fc.record({ choice: fc.nat() }))
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 60 }), (program) => {
      const pending = new PendingArrivals()
      /** Buffers by sender, and the senders by the age of their oldest message. */
      let waiting: { peer: Peer; buffers: number[] }[] = []
      program.forEach((step, buffer) => {
        if ('add' in step) {
          const peer = peers[step.add]!
          pending.add(peer, buffer)
          const known = waiting.find((entry) => entry.peer === peer)
          if (known === undefined) waiting.push({ peer, buffers: [buffer] })
          else known.buffers.push(buffer)
        } else if (waiting.length > 0) {
          const chosen = step.choice % waiting.length
          const { peer, buffers } = waiting[chosen]!
          const taken = pending.take((alternatives) => {
            expect(alternatives).toBe(waiting.length)
            return chosen
          })
          expect(taken).toEqual({ peer, buffer: buffers.shift() })
          waiting = waiting.filter((_, index) => index !== chosen)
          if (buffers.length > 0) waiting.push({ peer, buffers })
        }
        expect(pending.empty).toBe(waiting.length === 0)
      })
    }),
  )
})
