import { describe, expect, test } from 'vitest'

import { MemoryPool } from '../../src/memory/memory-pool.js'
import { WorldMemory } from '../../src/memory/world-memory.js'

const BYTES = 2 ** 20

describe('MemoryPool', () => {
  test('gives a released memory again, cleared', () => {
    const pool = new MemoryPool()
    const first = pool.acquire(BYTES)
    const address = first.heap.allocate(1000)
    first.u8.fill(9, address, address + 1000)
    pool.release(first)
    const second = pool.acquire(BYTES)
    expect(second.shared).toBe(first.shared)
    expect(Buffer.compare(second.u8, WorldMemory.create({ bytes: BYTES }).u8)).toBe(0)
  })

  test('gives it under a new buffer object, which views of the ended world do not have', () => {
    const pool = new MemoryPool()
    const first = pool.acquire(BYTES)
    const view = new Int32Array(first.buffer, 1024, 4)
    pool.release(first)
    const second = pool.acquire(BYTES)
    expect(first.owns(view)).toBe(true)
    expect(second.owns(view)).toBe(false)
    expect(WorldMemory.isWorldMemory(view.buffer)).toBe(true)
    expect(WorldMemory.isWorldMemory(second.buffer)).toBe(true)
    expect(WorldMemory.isWorldMemory(new SharedArrayBuffer(8))).toBe(false)
    expect(second.byteLength).toBe(first.byteLength)
  })

  test('gives a memory to one world at a time', () => {
    const pool = new MemoryPool()
    const first = pool.acquire(BYTES)
    pool.release(first)
    expect(pool.acquire(BYTES)).not.toBe(pool.acquire(BYTES))
    pool.release(first)
    expect(() => pool.release(first)).toThrow('released before')
  })

  test('gives the size asked for, never a larger one', () => {
    const pool = new MemoryPool()
    pool.release(pool.acquire(2 * BYTES))
    expect(pool.acquire(BYTES).byteLength).toBe(BYTES)
    expect(pool.acquire(2 * BYTES - 10).byteLength).toBe(2 * BYTES)
    expect(pool.idleCount).toBe(0)
  })

  test('drops a memory of which much was in use', () => {
    const pool = new MemoryPool({ highWaterBytes: 100_000 })
    const memory = pool.acquire(BYTES)
    memory.heap.free(memory.heap.allocate(200_000))
    pool.release(memory)
    expect(pool.idleCount).toBe(0)
  })

  test('keeps a bounded number, the newest', () => {
    const pool = new MemoryPool({ capacity: 2 })
    const memories = [1, 2, 3].map(() => pool.acquire(BYTES))
    memories.forEach((memory) => pool.release(memory))
    expect(pool.idleCount).toBe(2)
    expect(pool.acquire(BYTES).shared).toBe(memories[2]!.shared)
    expect(pool.acquire(BYTES).shared).toBe(memories[1]!.shared)
    pool.release(memories[0]!)
    pool.clear()
    expect(pool.idleCount).toBe(0)
  })
})
