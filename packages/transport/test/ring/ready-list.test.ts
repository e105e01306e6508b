import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { hasReady, nextReady, pushReady, takeReady } from '../../src/ring/ready-list.js'
import { HCA_BYTES } from '../../src/wire/hca-block.js'
import { QP_BYTES } from '../../src/wire/queue-pair.js'
import { Interrupter, withInterruptions } from './interruption.js'

const HCA = HCA_BYTES
const COUNT = 4
const blockOf = (index: number): number => HCA + HCA_BYTES + index * QP_BYTES

describe('ready list', () => {
  test('a queue pair whose work came before a push is driven after it, under nested interleavings', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(8), { maxLength: 300 }), (drawn) => {
        const i32 = new Int32Array(new SharedArrayBuffer(blockOf(COUNT)))
        const work = Array<number>(COUNT).fill(0)
        let driven = 0
        let posted = 0
        let owning = false
        const push = (index: number) => () => {
          work[index]!++
          posted++
          pushReady(i32, HCA, blockOf(index))
        }
        const drive = (): void => {
          if (owning) return
          owning = true
          let here = takeReady(i32, HCA)
          const seen = new Set<number>()
          while (here !== 0) {
            expect(seen.has(here)).toBe(false)
            seen.add(here)
            const next = nextReady(i32, here)
            const index = (here - blockOf(0)) / QP_BYTES
            driven += work[index]!
            work[index] = 0
            here = next
          }
          owning = false
        }
        const operations = [push(0), drive, push(1), push(2), drive, push(3), push(0), push(1)]
        const { interrupt } = new Interrupter(drawn, operations)
        withInterruptions(interrupt, () => {
          for (let turn = 0; turn < 24; turn++) operations[turn % operations.length]!()
        })
        while (hasReady(i32, HCA)) drive()
        expect(driven).toBe(posted)
      }),
      { numRuns: 300 },
    )
  })
})
