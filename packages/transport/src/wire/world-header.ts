/**
 * The world header: the first words of a world's memory, frozen by a test.
 *
 * All constants are byte offsets from address 0; divide by 4 (`>> 2`) to index an `Int32Array`.
 * Bytes 0..63 stay zero, so that address 0 can mean "none". Words written by different threads at
 * the same time lie in different 64-byte lines.
 *
 * | bytes     | line       | words                                                       | written by           |
 * | --------- | ---------- | ----------------------------------------------------------- | -------------------- |
 * | 0..63     | null       | never used                                                  | nobody               |
 * | 64..127   | identity   | magic, layout version, page count, rank count, MPI root     | creator, before start |
 * | 128..191  | heap       | lock, start, end, break, high water, used, peak, bin bitmap | holder of the lock   |
 * | 192..255  | contexts   | context id counter                                          | any rank, atomically |
 * | 256..319  | HCA        | region table, HCA table, their locks, spare words           | HCA engine           |
 * | 320..383  | abort      | flag, code, origin rank                                     | first to abort       |
 * | 384..447  | baton      | rank that may run (serial worlds)                           | holder of the baton  |
 * | 448..511  | choice     | next index, four words of generator state                   | holder of the baton  |
 * | 512..575  | spare      | zero                                                        | nobody               |
 * | 576..1087 | heap bins  | heads of the heap's 128 free lists                          | holder of the lock   |
 * | 1088..    | heap       | blocks                                                      |                      |
 */

/** Address of the header. */
export const WORLD_HEADER_ADDRESS = 64
/** Length of the header. */
export const WORLD_HEADER_BYTES = 512

// ---- identity -------------------------------------------------------------------------------

/** `WORLD_MAGIC` once the memory is laid out. */
export const WORLD_MAGIC_WORD = 64
/** `WORLD_LAYOUT_VERSION` of who laid it out. */
export const WORLD_LAYOUT_VERSION_WORD = 68
/** Size of the memory in pages of 64 KiB. */
export const WORLD_PAGE_COUNT_WORD = 72
/** Number of ranks, set by the creator of the world. */
export const WORLD_RANK_COUNT_WORD = 76
/** Address of the MPI layer's root structure, 0 until it exists. */
export const WORLD_MPI_ROOT_WORD = 80

/** "CMW1" in little-endian order. */
export const WORLD_MAGIC = 0x31574d43
/** Raised whenever an offset under `wire/` changes. */
export const WORLD_LAYOUT_VERSION = 2

// ---- heap (addresses and sizes in granules of 64 bytes, so that 4 GiB fits a word) ------------

/** Spin lock: 0 free, 1 held. */
export const HEAP_LOCK_WORD = 128
/** First granule of the heap. */
export const HEAP_START_WORD = 132
/** Granule behind the heap. */
export const HEAP_END_WORD = 136
/** Granule behind the last block: everything above belongs to no block. */
export const HEAP_BREAK_WORD = 140
/** Largest value the break ever had: memory above was never written. */
export const HEAP_HIGH_WATER_WORD = 144
/** Granules in allocated blocks, headers included. */
export const HEAP_USED_WORD = 148
/** Largest value of the used word. */
export const HEAP_PEAK_WORD = 152
/** Size in granules of the block below the break, 0 when there is none. */
export const HEAP_LAST_SIZE_WORD = 156
/** Four words: bit b of the bitmap is set when free list b is not empty. */
export const HEAP_BIN_BITMAP_WORDS = 160

// ---- contexts -------------------------------------------------------------------------------

/** Next context id; `Atomics.add`, never reused. */
export const CONTEXT_ID_COUNTER_WORD = 192

// ---- HCA ------------------------------------------------------------------------------------

/** Address of the memory region table. */
export const REGION_TABLE_ADDRESS_WORD = 256
/** Capacity of the region table in entries. */
export const REGION_TABLE_CAPACITY_WORD = 260
/** Number of entries of the region table ever used. */
export const REGION_TABLE_COUNT_WORD = 264
/** Lock of the region table: 0 free, 1 held. */
export const REGION_TABLE_LOCK_WORD = 268
/** Address of the table of HCAs, one entry a rank. */
export const HCA_TABLE_ADDRESS_WORD = 272
/** Capacity of the HCA table in entries. */
export const HCA_TABLE_CAPACITY_WORD = 276
/** Number of entries of the HCA table in use. */
export const HCA_TABLE_COUNT_WORD = 280
/** Lock of the connection manager: 0 free, 1 held. */
export const CONNECTION_LOCK_WORD = 284
/** Lock of the multicast groups: 0 free, 1 held. */
export const MULTICAST_LOCK_WORD = 288
/** First multicast attachment of the world, 0 when none. */
export const MULTICAST_HEAD_WORD = 292
/** Six further words for the HCA engine. */
export const HCA_SPARE_WORDS = 296

// ---- abort ----------------------------------------------------------------------------------

/** 0 while the world lives; whoever exchanges it to 1 writes the two words below, then 2. */
export const ABORT_FLAG_WORD = 320
/** Code given to `abort`. */
export const ABORT_CODE_WORD = 324
/** World rank that aborted, -1 for the launcher. */
export const ABORT_ORIGIN_WORD = 328

// ---- serial worlds --------------------------------------------------------------------------

/** Rank that holds the baton. */
export const BATON_WORD = 384
/** Index of the next choice. */
export const CHOICE_INDEX_WORD = 448
/** Four words: state of the choice stream's generator. */
export const CHOICE_GENERATOR_WORDS = 452

// ---- heap proper ----------------------------------------------------------------------------

/** Heads of the heap's free lists, one word (granule, 0 = empty) each. */
export const HEAP_BINS_ADDRESS = 576
/** Number of free lists. */
export const HEAP_BIN_COUNT = 128
/** First address the heap may hand out; a multiple of 64. */
export const HEAP_FIRST_ADDRESS = 1088
