import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { DoubleFree, NotAllocated, OutOfMemory } from '../../src/memory/errors.js'
import { WorldMemory } from '../../src/memory/world-memory.js'
import { HEAP_FIRST_ADDRESS } from '../../src/wire/world-header.js'
import { walkHeap } from './heap-walk.js'

const MEMORY_BYTES = 65_536
const GRANULE_BYTES = 64

interface Held {
  address: number
  bytes: number
}

type Command = { do: 'allocate'; bytes: number; alignment: number } | { do: 'free'; which: number }

const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('allocate' as const),
        bytes: fc.oneof(fc.nat(200), fc.nat(3000), fc.nat(20_000)),
        alignment: fc.oneof(
          { weight: 4, arbitrary: fc.constant(64) },
          fc.constantFrom(1, 128, 256, 4096),
        ),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('free' as const), which: fc.nat(100) }) },
  ),
  { maxLength: 120 },
)

/** Runs the commands, each checked against the list of what is held; returns what is held. */
function run(memory: WorldMemory, list: Command[]): Held[] {
  const { heap } = memory
  const held: Held[] = []
  for (const command of list) {
    if (command.do === 'free') {
      if (held.length === 0) continue
      const [victim] = held.splice(command.which % held.length, 1)
      heap.free(victim!.address)
    } else {
      try {
        const block = { address: heap.allocate(command.bytes, command.alignment), ...command }
        checkNew(memory, block, held)
        held.push(block)
      } catch (error) {
        if (!(error instanceof OutOfMemory)) throw error
        checkRefusal(error, command, held)
      }
    }
    const allocated = walkHeap(memory.i32).filter(({ free }) => !free)
    expect(allocated.map(({ address }) => address)).toEqual(
      held.map(({ address }) => address).sort((left, right) => left - right),
    )
    const used = allocated.reduce((sum, { bytes }) => sum + bytes + GRANULE_BYTES, 0)
    expect(heap.usedBytes).toBe(used)
  }
  return held
}

function checkNew(memory: WorldMemory, block: Held & { alignment: number }, held: Held[]): void {
  const end = block.address + block.bytes
  expect(block.address % Math.max(block.alignment, GRANULE_BYTES)).toBe(0)
  expect(block.address).toBeGreaterThan(HEAP_FIRST_ADDRESS)
  expect(end).toBeLessThanOrEqual(MEMORY_BYTES)
  for (const other of held) {
    expect(end <= other.address || other.address + other.bytes <= block.address).toBe(true)
  }
  expect(memory.u8.subarray(block.address, end).every((byte) => byte === 0)).toBe(true)
  memory.u8.fill(0xa5, block.address, end)
}

/** A refusal is right only when no range between two blocks could have held the block. */
function checkRefusal(error: OutOfMemory, request: { bytes: number }, held: Held[]): void {
  expect(error.requestedBytes).toBe(request.bytes)
  const ranges = held
    .map(({ address, bytes }) => [address - GRANULE_BYTES, address + roundUp(bytes)] as const)
    .concat([[MEMORY_BYTES, MEMORY_BYTES]])
    .sort(([left], [right]) => left - right)
  const { alignment = GRANULE_BYTES } = request as { alignment?: number }
  // A block may hide one granule; an aligned one may need a gap in front of it.
  const neededAtMost =
    GRANULE_BYTES + roundUp(request.bytes) + GRANULE_BYTES + (alignment > 64 ? alignment + 128 : 0)
  let previousEnd = HEAP_FIRST_ADDRESS
  for (const [start, end] of ranges) {
    expect(start - previousEnd).toBeLessThan(neededAtMost)
    previousEnd = end
  }
}

function roundUp(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / GRANULE_BYTES)) * GRANULE_BYTES
}

describe('allocate and free', () => {
  test('keep blocks apart, aligned and zeroed, and refuse only what does not fit', () => {
    fc.assert(
      fc.property(commands, (list) => {
        run(WorldMemory.create({ bytes: MEMORY_BYTES }), list)
      }),
      { numRuns: 200 },
    )
  })

  test('come back to the start state when everything is freed, in any order', () => {
    const memory = WorldMemory.create({ bytes: MEMORY_BYTES })
    const { heap } = memory
    const whole = heap.capacityBytes - GRANULE_BYTES
    fc.assert(
      fc.property(commands, fc.infiniteStream(fc.nat(1000)), (list, order) => {
        const held = run(memory, list)
        while (held.length > 0) {
          heap.free(held.splice(order.next().value! % held.length, 1)[0]!.address)
          walkHeap(memory.i32)
        }
        expect(heap.usedBytes).toBe(0)
        expect(walkHeap(memory.i32)).toEqual([])
        heap.free(heap.allocate(whole))
      }),
    )
  })

  test('do not fragment when large blocks of changing sizes alternate', () => {
    const { heap } = WorldMemory.create({ bytes: 4 * 2 ** 20 })
    const keep: number[] = []
    for (let round = 0; round < 3000; round++) {
      const large = heap.allocate(1_000_000 + (round % 50) * 1000)
      if (round % 100 === 0) keep.push(heap.allocate(100))
      heap.free(large)
    }
    keep.forEach((address) => heap.free(address))
    expect(heap.highWaterAddress).toBeLessThan(3.2 * 2 ** 20)
    expect(heap.usedBytes).toBe(0)
  })

  test('use memory again instead of reaching for fresh memory', () => {
    const { heap } = WorldMemory.create({ bytes: 2 ** 20 })
    heap.allocate(64)
    const first = heap.allocate(5000)
    heap.allocate(64)
    heap.free(first)
    expect(heap.allocate(5000)).toBe(first)
  })
})

describe('allocate', () => {
  test('gives an address of its own for no bytes', () => {
    const { heap } = WorldMemory.create({ bytes: MEMORY_BYTES })
    expect(heap.allocate(0)).not.toBe(heap.allocate(0))
  })

  test('reaches the last byte of 4 GiB with unsigned addresses', () => {
    const memory = WorldMemory.create({ bytes: 2 ** 32 })
    const { heap, u8 } = memory
    heap.allocate(2 ** 31)
    const rest = heap.capacityBytes - heap.usedBytes - GRANULE_BYTES
    const address = heap.allocate(rest)
    expect(address).toBeGreaterThan(2 ** 31)
    expect(address + rest).toBe(2 ** 32)
    expect(heap.sizeOf(address)).toBe(rest)
    memory.kernels.fill(2 ** 32 - 100, 7, 100)
    expect(u8[2 ** 32 - 1]).toBe(7)
    expect(() => heap.allocate(1)).toThrow(OutOfMemory)
    // Not freed: clearing on reuse would touch all of it.
  })

  test('tells what was asked for and what is left when it refuses', () => {
    const { heap } = WorldMemory.create({ bytes: MEMORY_BYTES })
    heap.allocate(1000)
    expect(() => heap.allocate(100_000)).toThrow(
      expect.objectContaining({
        code: 'OUT_OF_MEMORY',
        requestedBytes: 100_000,
        capacityBytes: heap.capacityBytes,
        freeBytes: heap.capacityBytes - heap.usedBytes,
      }),
    )
    expect(() => heap.allocate(2 ** 45)).toThrow(OutOfMemory)
  })

  test.each([-1, 1.5, NaN, Infinity])('refuses a size of %s', (bytes) => {
    const { heap } = WorldMemory.create({ bytes: MEMORY_BYTES })
    expect(() => heap.allocate(bytes)).toThrow(RangeError)
  })

  test.each([0, 3, -64, 96, NaN])('refuses an alignment of %s', (alignment) => {
    const { heap } = WorldMemory.create({ bytes: MEMORY_BYTES })
    expect(() => heap.allocate(1, alignment)).toThrow(RangeError)
  })
})

describe('free', () => {
  test('detects a double free, also of a block that was merged away', () => {
    const { heap } = WorldMemory.create({ bytes: MEMORY_BYTES })
    const blocks = Array.from({ length: 6 }, () => heap.allocate(100))
    const order = [1, 3, 2, 5, 0, 4]
    for (const [position, which] of order.entries()) {
      heap.free(blocks[which]!)
      for (const freed of order.slice(0, position + 1)) {
        expect(() => heap.free(blocks[freed]!)).toThrow(DoubleFree)
      }
    }
  })

  test('detects addresses at which no block starts', () => {
    const { heap } = WorldMemory.create({ bytes: MEMORY_BYTES })
    const address = heap.allocate(1000)
    for (const foreign of [0, 64, -64, 1, address + 8, address + 64, 2 ** 20, 2 ** 40, NaN]) {
      expect(() => heap.free(foreign)).toThrow(NotAllocated)
    }
    expect(heap.isAllocated(address)).toBe(true)
    heap.free(address)
    expect(heap.isAllocated(address)).toBe(false)
  })

  test('is not misled by the bytes of a header that a user copied', () => {
    const { heap, kernels } = WorldMemory.create({ bytes: MEMORY_BYTES })
    const address = heap.allocate(1000)
    kernels.copy(address + 64, address - 64, 64)
    expect(() => heap.free(address + 128)).toThrow(NotAllocated)
  })
})

describe('peakBytes', () => {
  test('is the largest usedBytes', () => {
    const { heap } = WorldMemory.create({ bytes: MEMORY_BYTES })
    const address = heap.allocate(5000)
    const largest = heap.usedBytes
    heap.free(address)
    heap.allocate(10)
    expect(heap.peakBytes).toBe(largest)
  })
})
