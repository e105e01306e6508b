import { Worker } from 'node:worker_threads'
import type { SharedWorldMemory } from '@commworld/transport'
import { packError, type TravellingError } from '../../errors/index.js'
import { ClockBoard } from '../../simulate/threads/clock-board.js'
import type { ClockShare } from '../../simulate/threads/thread-rank-parts.js'
import { packageFile } from '../program/package-files.js'
import type { ClockMessage, ClockStart } from '../rank/clock-worker.js'
import type { FabricRequest } from './job-request.js'
import type { WorldMonitor } from './world-monitor.js'

export interface ClockListener {
  /** All ranks have ended, and what was asked for is written. */
  over(summary: string | undefined): void
  progress(text: string): void
  /** The fabric could not be opened, or the library is wrong. */
  failed(error: TravellingError): void
}

/** The thread that keeps virtual time for ranks on threads. */
export class ClockThread {
  readonly share: ClockShare
  readonly #board: ClockBoard
  readonly #worker: Worker

  constructor(
    fabric: FabricRequest,
    ranks: number,
    shared: SharedWorldMemory,
    listener: ClockListener,
  ) {
    this.#board = new ClockBoard(ranks)
    const { buffer: board } = this.#board
    const { goal, timingOnly, computeScale = 0 } = fabric
    this.share = { board, ranks, recordsGoal: goal !== undefined, timingOnly, computeScale }
    const start: ClockStart = { fabric, ranks, board, shared }
    this.#worker = new Worker(packageFile('launch/clock-worker.js'), {
      name: 'virtual clock',
      workerData: start,
    })
    this.#worker.on('error', (error) => listener.failed(packError(error)))
    this.#worker.on('message', (message: ClockMessage) => {
      if (message.type === 'over') listener.over(message.summary)
      else if (message.type === 'progress') listener.progress(message.text)
      else listener.failed(message.error)
    })
  }

  /** A rank's thread has gone: nobody waits for it any more. */
  lose(rank: number): void {
    this.#board.lose(rank)
  }

  terminate(): void {
    void this.#worker.terminate()
  }

  /**
   * What tells a watcher whether ranks are stuck: only when nothing is under way can they be. Meanwhile it
   * sees who waits, but not for whom.
   */
  watched(monitor: WorldMonitor): Pick<WorldMonitor, 'waits' | 'transitions'> {
    return {
      transitions: () => monitor.transitions(),
      waits: () => {
        const waits = monitor.waits()
        return this.#board.idle ? waits : waits.map((wait) => ({ ...wait, mode: 'and', arcs: [] }))
      },
    }
  }
}
