import { describe, expect, test } from 'vitest'

import * as header from '../../src/wire/world-header.js'

/** Words of each field that is longer than one. */
const LENGTHS: Record<string, number> = {
  HEAP_BIN_BITMAP_WORDS: 4,
  HCA_SPARE_WORDS: 6,
  CHOICE_GENERATOR_WORDS: 4,
}

describe('world header', () => {
  const fields = Object.entries(header)
    .filter(([name]) => /_WORDS?$/.test(name))
    .map(([name, start]) => ({ name, start, end: start + 4 * (LENGTHS[name] ?? 1) }))
    .sort((left, right) => left.start - right.start)

  test('has no fields that overlap, lie outside or are not aligned', () => {
    const bounds = [
      header.WORLD_HEADER_ADDRESS,
      ...fields.flatMap(({ start, end }) => [start, end]),
      header.WORLD_HEADER_ADDRESS + header.WORLD_HEADER_BYTES,
    ]
    expect(bounds).toEqual(bounds.toSorted((left, right) => left - right))
    expect(fields.filter(({ start }) => start % 4 !== 0)).toEqual([])
  })

  test('is followed by the free lists and the heap', () => {
    expect(header.HEAP_BINS_ADDRESS).toBe(header.WORLD_HEADER_ADDRESS + header.WORLD_HEADER_BYTES)
    expect(header.HEAP_FIRST_ADDRESS).toBe(header.HEAP_BINS_ADDRESS + 4 * header.HEAP_BIN_COUNT)
    expect(header.HEAP_FIRST_ADDRESS % 64).toBe(0)
  })

  test('keeps its offsets: a change needs a new layout version', () => {
    expect(Object.fromEntries(fields.map(({ name, start }) => [name, start])))
      .toMatchInlineSnapshot(`
        {
          "ABORT_CODE_WORD": 324,
          "ABORT_FLAG_WORD": 320,
          "ABORT_ORIGIN_WORD": 328,
          "BATON_WORD": 384,
          "CHOICE_GENERATOR_WORDS": 452,
          "CHOICE_INDEX_WORD": 448,
          "CONNECTION_LOCK_WORD": 284,
          "CONTEXT_ID_COUNTER_WORD": 192,
          "HCA_SPARE_WORDS": 296,
          "HCA_TABLE_ADDRESS_WORD": 272,
          "HCA_TABLE_CAPACITY_WORD": 276,
          "HCA_TABLE_COUNT_WORD": 280,
          "HEAP_BIN_BITMAP_WORDS": 160,
          "HEAP_BREAK_WORD": 140,
          "HEAP_END_WORD": 136,
          "HEAP_HIGH_WATER_WORD": 144,
          "HEAP_LAST_SIZE_WORD": 156,
          "HEAP_LOCK_WORD": 128,
          "HEAP_PEAK_WORD": 152,
          "HEAP_START_WORD": 132,
          "HEAP_USED_WORD": 148,
          "MULTICAST_HEAD_WORD": 292,
          "MULTICAST_LOCK_WORD": 288,
          "REGION_TABLE_ADDRESS_WORD": 256,
          "REGION_TABLE_CAPACITY_WORD": 260,
          "REGION_TABLE_COUNT_WORD": 264,
          "REGION_TABLE_LOCK_WORD": 268,
          "WORLD_LAYOUT_VERSION_WORD": 68,
          "WORLD_MAGIC_WORD": 64,
          "WORLD_MPI_ROOT_WORD": 80,
          "WORLD_PAGE_COUNT_WORD": 72,
          "WORLD_RANK_COUNT_WORD": 76,
        }
      `)
    expect(header.WORLD_LAYOUT_VERSION).toBe(2)
  })
})
