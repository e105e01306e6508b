import type { WorldMemory } from '../memory/world-memory.js'
import { HCA_BYTES, HCA_INDEX, HCA_NEXT_NUMBER } from '../wire/hca-block.js'
import { HCA_TABLE_ADDRESS_WORD, HCA_TABLE_CAPACITY_WORD } from '../wire/world-header.js'
import { HCA_TABLE_COUNT_WORD } from '../wire/world-header.js'
import { demand } from './verbs-error.js'

/** Numbers 0 and 1 are the management queue pairs; the first of ours stands out in a dump. */
const FIRST_QUEUE_PAIR_NUMBER = 0x11

/**
 * Lays out the HCAs of a world, one a rank. Once, by the world's creator, before any thread opens a
 * device.
 */
export function createHcaTable(memory: WorldMemory, count: number): void {
  demand(Number.isInteger(count) && count > 0, `a world has at least one HCA, not ${count}`)
  const { i32, heap } = memory
  demand(i32[HCA_TABLE_COUNT_WORD >> 2] === 0, 'the world has its HCAs already')
  const table = heap.allocate(count * HCA_BYTES, HCA_BYTES)
  for (let index = 0; index < count; index++) {
    const block = table + index * HCA_BYTES
    i32[(block + HCA_INDEX) >>> 2] = index
    i32[(block + HCA_NEXT_NUMBER) >>> 2] = FIRST_QUEUE_PAIR_NUMBER
  }
  i32[HCA_TABLE_ADDRESS_WORD >> 2] = table
  i32[HCA_TABLE_CAPACITY_WORD >> 2] = count
  i32[HCA_TABLE_COUNT_WORD >> 2] = count
}

/** Number of HCAs in the world. */
export function hcaCount(i32: Int32Array): number {
  return i32[HCA_TABLE_COUNT_WORD >> 2]!
}

/** Address of the block of HCA `index`; its doorbell is the block's first line. */
export function hcaAddress(i32: Int32Array, index: number): number {
  return (i32[HCA_TABLE_ADDRESS_WORD >> 2]! + index * HCA_BYTES) >>> 0
}
