import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RegisteredMemory } from '../../src/device/registered-memory.js'
import { MemoryUseError } from '../../src/errors/index.js'
import { smallWorld } from './domain.js'

const step = fc.record({
  bytes: fc.oneof(fc.nat(300), fc.constantFrom(0, 1, 4096)),
  free: fc.option(fc.nat(), { nil: undefined, freq: 3 }),
})

const unused = (_start: number, _end: number): boolean => false

test('RegisteredMemory finds the allocation that holds a range, and only whole ranges', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 50 }),
      fc.array(
        fc.record({ at: fc.nat(), from: fc.integer({ min: -4, max: 310 }), bytes: fc.nat(310) }),
      ),
      (program, questions) => {
        const { memory, domain } = smallWorld()
        const registered = new RegisteredMemory(memory, () => domain)
        const held: { address: number; bytes: number }[] = []
        for (const { bytes, free } of program) {
          if (free !== undefined && held.length > 0) {
            const [block] = held.splice(free % held.length, 1)
            registered.free(block!.address, block!.bytes, unused)
          } else {
            held.push({ address: registered.allocate(bytes), bytes })
          }
        }
        for (const { at, from, bytes } of questions) {
          const block = held[at % Math.max(1, held.length)]
          if (block === undefined || bytes === 0) continue
          const start = block.address + from
          const inside = held.some(
            (other) => start >= other.address && start + bytes <= other.address + other.bytes,
          )
          expect(registered.keyOf(start, bytes) !== 0).toBe(inside)
        }
        for (const { address, bytes } of held) {
          expect(registered.keyOf(address, bytes)).not.toBe(0)
          registered.free(address, bytes, unused)
        }
      },
    ),
    { numRuns: 150 },
  )
})

test('free refuses parts, strangers, what is in use, and what is free', () => {
  const { memory, domain } = smallWorld()
  const registered = new RegisteredMemory(memory, () => domain)
  const address = registered.allocate(256)
  const refused = (problem: string, from: number, bytes: number, inUse = unused): void => {
    const free = (): void => registered.free(from, bytes, inUse)
    expect(free).toThrow(MemoryUseError)
    expect(free).toThrow(expect.objectContaining({ problem }))
  }
  refused('part', address + 8, 8)
  refused('part', address, 8)
  refused('foreign', memory.heap.allocate(8), 8)
  refused('in use', address, 256, (start, end) => start === address && end === address + 256)
  expect(registered.keyOf(address, 256)).not.toBe(0)
  registered.free(address, 256, unused)
  expect(registered.keyOf(address, 256)).toBe(0)
  refused('freed', address, 256)
})

test('allocate gives zeroed memory again after free', () => {
  const { memory, domain } = smallWorld()
  const registered = new RegisteredMemory(memory, () => domain)
  for (let round = 0; round < 10; round++) {
    const address = registered.allocate(1000)
    const content = memory.u8.subarray(address, address + 1000)
    expect(content.every((byte) => byte === 0)).toBe(true)
    content.fill(7)
    registered.free(address, 1000, unused)
  }
})
