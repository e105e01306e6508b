import {
  ALLOCATED_MARK,
  BLOCK_PREVIOUS_SIZE,
  BLOCK_SIZE,
  FREE_MARK,
  GRANULE_BYTES,
  hasMark,
  headerOf,
} from '../../src/memory/block.js'
import {
  HEAP_BREAK_WORD,
  HEAP_LAST_SIZE_WORD,
  HEAP_START_WORD,
} from '../../src/wire/world-header.js'

export interface WalkedBlock {
  address: number
  bytes: number
  free: boolean
}

/**
 * Walks the blocks of a heap from start to break and throws where an invariant is broken: sizes
 * chain up, boundary tags agree, free blocks never touch each other or the break.
 */
export function walkHeap(i32: Int32Array): WalkedBlock[] {
  const blocks: WalkedBlock[] = []
  const heapBreak = i32[HEAP_BREAK_WORD >> 2]!
  let previousSize = 0
  let granule = i32[HEAP_START_WORD >> 2]!
  while (granule < heapBreak) {
    const free = hasMark(i32, granule, FREE_MARK)
    if (!free && !hasMark(i32, granule, ALLOCATED_MARK)) throw new Error(`no mark at ${granule}`)
    if (i32[headerOf(granule) + BLOCK_PREVIOUS_SIZE] !== previousSize) {
      throw new Error(`wrong boundary tag at ${granule}`)
    }
    if (free && blocks.at(-1)?.free) throw new Error(`free neighbours not merged at ${granule}`)
    previousSize = i32[headerOf(granule) + BLOCK_SIZE]!
    blocks.push({
      address: (granule + 1) * GRANULE_BYTES,
      bytes: (previousSize - 1) * GRANULE_BYTES,
      free,
    })
    granule += previousSize
  }
  if (granule !== heapBreak) throw new Error('the last block crosses the break')
  if (i32[HEAP_LAST_SIZE_WORD >> 2] !== previousSize) throw new Error('wrong size of last block')
  if (blocks.at(-1)?.free) throw new Error('a free block touches the break')
  return blocks
}
