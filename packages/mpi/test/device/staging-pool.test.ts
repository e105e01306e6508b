import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StagingMemory } from '../../src/device/staging-memory.js'
import { StagingPool } from '../../src/device/staging-pool.js'
import { smallWorld } from './domain.js'

const bytes = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.constantFrom(1, 63, 64, 65, 4096, 8191, 8192, 8193, 65_536, 100_000),
)
const step = fc.record({ bytes, free: fc.option(fc.nat(), { nil: undefined, freq: 3 }) })

test('StagingPool gives aligned blocks that stay apart and have keys, and takes them back', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (program) => {
      const { memory, domain } = smallWorld()
      const pool = new StagingPool(new StagingMemory(memory), () => domain)
      const held: { address: number; bytes: number; stamp: number }[] = []
      const release = (which: number): void => {
        const [block] = held.splice(which, 1)
        const { address, bytes: length, stamp } = block!
        const content = memory.u8.subarray(address, address + length)
        expect(content.every((byte) => byte === stamp)).toBe(true)
        pool.free(address)
      }
      program.forEach(({ bytes: length, free }, id) => {
        if (free !== undefined && held.length > 0) return release(free % held.length)
        const address = pool.allocate(length)
        expect(address % 64).toBe(0)
        expect(pool.keyOf(address)).not.toBe(0)
        memory.u8.fill(id, address, address + length)
        held.push({ address, bytes: length, stamp: id & 0xff })
      })
      while (held.length > 0) release(held.length - 1)
    }),
    { numRuns: 60 },
  )
})

test('StagingPool uses freed blocks again, so that a long run needs no more memory', () => {
  const { memory, domain } = smallWorld()
  const pool = new StagingPool(new StagingMemory(memory), () => domain)
  const use = (): void => {
    const blocks = [1, 64, 100, 8192, 8193, 200_000].map((length) => pool.allocate(length))
    for (const address of blocks) pool.free(address)
  }
  use()
  const { usedBytes } = memory.heap
  for (let round = 0; round < 1000; round++) use()
  expect(memory.heap.usedBytes).toBe(usedBytes)
})

test('StagingPool has keys for nothing but its blocks', () => {
  const { memory, domain } = smallWorld()
  const pool = new StagingPool(new StagingMemory(memory), () => domain)
  pool.allocate(10)
  expect(pool.keyOf(memory.heap.allocate(10))).toBe(0)
})

test('pools of ranks that share a thread share slabs, and each has keys of its own for them', () => {
  const { memory, domain } = smallWorld()
  const shared = new StagingMemory(memory)
  const [one, other] = [0, 1].map(() => new StagingPool(shared, () => domain))
  const first = one!.allocate(100)
  const { usedBytes } = memory.heap
  const second = other!.allocate(100)
  expect(memory.heap.usedBytes).toBe(usedBytes)
  expect(second).not.toBe(first)
  expect(other!.keyOf(second)).not.toBe(one!.keyOf(first))
  one!.free(first)
  expect(other!.allocate(100)).toBe(first)
})
