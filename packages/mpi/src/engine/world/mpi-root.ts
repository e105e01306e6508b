import {
  CONTEXT_ID_COUNTER_WORD,
  WORLD_MPI_ROOT_WORD,
  type WorldMemory,
} from '@commworld/transport'
import { FIRST_FREE_CONTEXT } from '../../comm/communicator-state.js'
import { boardBytes } from '../../device/board.js'
import { RankRecord, rankRecordBytes } from '../../record/rank-record.js'

/**
 * What the MPI layer keeps in a world's memory, found through the world header.
 *
 * | bytes | meaning |
 * | --- | --- |
 * | 0 | ranks that have attached: peers can be reached from then on |
 * | 4 | address of the world's board |
 * | 64.. | the ranks' records, one after the other; none where ranks share a thread and see each other |
 */
const ATTACHED = 0
const BOARD = 4
const RECORDS = 64
const SLICE_MS = 100

/**
 * Lays it out; by the world's creator, once.
 *
 * @param records whether each rank has a record, for threads that watch it
 */
export function createMpiRoot(
  memory: WorldMemory,
  ranks: number,
  { slotBytes, records }: { slotBytes: number; records: boolean },
): void {
  const root = memory.heap.allocate(RECORDS + (records ? ranks * rankRecordBytes(ranks) : 0))
  memory.i32[(root + BOARD) >>> 2] = memory.heap.allocate(boardBytes(ranks, slotBytes))
  memory.i32[CONTEXT_ID_COUNTER_WORD >> 2] = FIRST_FREE_CONTEXT
  Atomics.store(memory.i32, WORLD_MPI_ROOT_WORD >> 2, root)
}

export function rankRecordOf(memory: WorldMemory, rank: number, ranks: number): RankRecord {
  const root = rootOf(memory)
  return new RankRecord(memory.i32, root + RECORDS + rank * rankRecordBytes(ranks), ranks)
}

/** Address of the board of all ranks. */
export function worldBoardOf(memory: WorldMemory): number {
  return memory.i32[(rootOf(memory) + BOARD) >>> 2]! >>> 0
}

/** Says that a rank can be reached; the last one wakes those that wait for all. */
export function attach(memory: WorldMemory, ranks: number): void {
  const word = (rootOf(memory) + ATTACHED) >>> 2
  if (Atomics.add(memory.i32, word, 1) + 1 === ranks) Atomics.notify(memory.i32, word)
}

/** Blocks until all ranks have attached, as MPI_Init may. `stop` is asked now and then. */
export function awaitAttached(memory: WorldMemory, ranks: number, stop: () => void): void {
  const word = (rootOf(memory) + ATTACHED) >>> 2
  for (;;) {
    const attached = Atomics.load(memory.i32, word)
    if (attached >= ranks) return
    stop()
    Atomics.wait(memory.i32, word, attached, SLICE_MS)
  }
}

function rootOf(memory: WorldMemory): number {
  return memory.i32[WORLD_MPI_ROOT_WORD >> 2]! >>> 0
}
