import { execFileSync } from 'node:child_process'

import { describe, expect, test } from 'vitest'

import { MemoryUnavailable } from '../../src/memory/errors.js'
import { WorldMemory } from '../../src/memory/world-memory.js'
import { WORLD_MAGIC, WORLD_MAGIC_WORD } from '../../src/wire/world-header.js'

describe('create', () => {
  test('rounds the size up to whole pages and fixes it', () => {
    const memory = WorldMemory.create({ bytes: 100_000 })
    expect(memory.byteLength).toBe(131_072)
    expect(() => memory.shared.memory.grow(1)).toThrow(RangeError)
  })

  test('lays out the header', () => {
    const { i32 } = WorldMemory.create({ bytes: 1 })
    expect(i32[WORLD_MAGIC_WORD >> 2]).toBe(WORLD_MAGIC)
  })

  test.each([0, -1, NaN, 2 ** 32 + 1])('refuses %s bytes and names the option', (bytes) => {
    expect(() => WorldMemory.create({ bytes })).toThrow(MemoryUnavailable)
    expect(() => WorldMemory.create({ bytes })).toThrow(/--memory/)
  })

  test.runIf(process.platform === 'linux')('says so when the system refuses', () => {
    // A reservation of address space fails in a process of its own, not in this one.
    const program = `
      const { WorldMemory } = await import('@commworld/transport')
      const worlds = []
      try {
        for (let i = 0; i < 64; i++) worlds.push(WorldMemory.create({ bytes: 2 ** 32 }))
      } catch (error) {
        console.log(error.code, error.requestedBytes, /--memory/.test(error.message))
      }`
    const output = execFileSync(
      'sh',
      [
        '-c',
        'ulimit -v 50000000; exec "$0" "$@"',
        process.execPath,
        '--input-type=module',
        '-e',
        program,
      ],
      { encoding: 'utf8', cwd: import.meta.dirname },
    )
    expect(output).toBe('MEMORY_UNAVAILABLE 4294967296 true\n')
  })
})

describe('attach', () => {
  test('sees the bytes and the heap of the creator', () => {
    const created = WorldMemory.create({ bytes: 65_536 })
    const attached = WorldMemory.attach(created.shared)
    const address = created.heap.allocate(8)
    attached.f64[address / 8] = 1.5
    expect(created.f64[address / 8]).toBe(1.5)
    expect(attached.heap.isAllocated(address)).toBe(true)
    expect(attached.heap.allocate(8)).not.toBe(address)
  })
})

describe('owns', () => {
  test('recognises views on the memory', () => {
    const memory = WorldMemory.create({ bytes: 65_536 })
    expect(memory.owns(new Float64Array(memory.buffer, 4096, 2).subarray(1))).toBe(true)
    expect(memory.owns(new Float64Array(2))).toBe(false)
  })
})

describe('reset', () => {
  test('gives the state after create', () => {
    const fresh = WorldMemory.create({ bytes: 65_536 })
    const used = WorldMemory.create({ bytes: 65_536 })
    const blocks = [100, 5000, 20_000].map((bytes) => used.heap.allocate(bytes))
    blocks.forEach((address) => used.u8.fill(255, address, address + 100))
    used.heap.free(blocks[1]!)
    used.reset()
    expect(Buffer.compare(used.u8, fresh.u8)).toBe(0)
  })
})
