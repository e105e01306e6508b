import { parentPort, workerData } from 'node:worker_threads'
import { type SharedWorldMemory, WorldMemory } from '@commworld/transport'
import { packError, type TravellingError } from '../../errors/index.js'
import { ClockBoard } from '../../simulate/threads/clock-board.js'
import { ClockLoop } from '../../simulate/threads/clock-loop.js'
import { openFabric } from '../job/fabric-run.js'
import type { FabricRequest } from '../job/job-request.js'

// The thread of the virtual clock, in a job whose ranks have threads of their own.

/** What it is started with. */
export interface ClockStart {
  readonly fabric: FabricRequest
  readonly ranks: number
  readonly board: SharedArrayBuffer
  readonly shared: SharedWorldMemory
}

/** What it tells the job. */
export type ClockMessage =
  /** All ranks have ended; what is to be told of the run. */
  | { readonly type: 'over'; readonly summary: string | undefined }
  | { readonly type: 'progress'; readonly text: string }
  | { readonly type: 'failed'; readonly error: TravellingError }

function post(message: ClockMessage): void {
  parentPort!.postMessage(message)
}

function run({ fabric, ranks, board, shared }: ClockStart): void {
  const { world, finish, onProgress } = openFabric(fabric, ranks, (text) =>
    post({ type: 'progress', text }),
  )
  const loop = new ClockLoop(
    new ClockBoard(ranks, board),
    WorldMemory.attach(shared),
    world,
    onProgress,
  )
  loop.run()
  post({ type: 'over', summary: finish(loop.endpoints) })
}

try {
  run(workerData as ClockStart)
} catch (error) {
  post({ type: 'failed', error: packError(error) })
}
