import { doorbellCount, hcaAddress, wakeOwner, type WorldMemory } from '@commworld/transport'
import { setAborted } from '../../device/abort.js'
import type { RankRecord } from '../../record/rank-record.js'
import type { RankState, RankWait } from '../../record/rank-snapshot.js'
import { rankRecordOf } from './mpi-root.js'

/** A world as somebody sees it who takes no part in it: the job's main thread. */
export class Monitor {
  readonly #i32: Int32Array
  readonly #records: readonly RankRecord[]

  constructor(memory: WorldMemory, ranks: number) {
    this.#i32 = memory.i32
    this.#records = Array.from({ length: ranks }, (_, rank) => rankRecordOf(memory, rank, ranks))
  }

  /** The wait-for graph as far as it can be read now. */
  waits(): RankWait[] {
    return this.#records.map((record, rank) => {
      const wait = record.read(rank)
      // Being written, or rung since it fell asleep: it will move.
      if (wait === undefined || this.#isRung(record, rank, wait)) {
        return { rank, state: 'running', mode: 'and', arcs: [] }
      }
      return wait
    })
  }

  /** One counter a rank; a graph read between two equal readings is a consistent one. */
  transitions(): Int32Array {
    return Int32Array.from(this.#records, (record) => record.transitions)
  }

  state(rank: number): RankState {
    return this.#records[rank]!.state
  }

  /** Marks a rank that ended without finalizing. */
  failed(rank: number): void {
    this.#records[rank]!.enter('failed')
  }

  /** Asks a rank for a snapshot, which it posts when it next looks. */
  requestSnapshot(rank: number): void {
    this.#records[rank]!.requestReport()
    wakeOwner(this.#i32, this.#doorbell(rank))
  }

  /**
   * Ends the world: every rank that waits wakes and throws AbortedError.
   *
   * @param origin the rank that caused it, -1 for nobody
   */
  abort(code: number, origin: number): void {
    setAborted(this.#i32, code, origin)
    for (let rank = 0; rank < this.#records.length; rank++) {
      wakeOwner(this.#i32, this.#doorbell(rank))
    }
  }

  #isRung(record: RankRecord, rank: number, { state }: RankWait): boolean {
    if (state !== 'blocked' && state !== 'awaiting') return false
    return doorbellCount(this.#i32, this.#doorbell(rank)) !== record.doorbellSeen
  }

  #doorbell(rank: number): number {
    return hcaAddress(this.#i32, rank)
  }
}
