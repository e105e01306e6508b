import { workerData, type MessagePort } from 'node:worker_threads'
import type { ClockShare, ThreadRankParts } from '../../simulate/threads/thread-rank-parts.js'
import type { Bundle } from '../program/bundle.js'
import type { CarriedRanks } from './carried-ranks.js'
import { CoroutineRanks } from './coroutine-ranks.js'
import { failureMessage } from './failure-message.js'
import type { RankStart, ToRank } from './rank-message.js'
import { becomeProcess, post } from './rank-process.js'
import { mapStacks, SourcePositions } from '../program/source-positions.js'
import { ThreadRank } from './thread-rank.js'

// The thread of one rank, or of all ranks of a coroutine job. It loads the library before it knows
// which rank it is, and attaches the rank while its program is still being bundled.

const port = workerData as MessagePort
let carried: CarriedRanks | undefined
/** Whether somebody waits for what the rank tells when it has finished. */
let asked = false

let begun: Promise<void> | undefined
port.on('message', (message: ToRank) => {
  if (message.type === 'start') begun = start(message.start)
  else void begun!.then(() => serve(message))
})

function serve(message: Exclude<ToRank, { type: 'start' }>): void {
  if (carried === undefined) return
  if (message.type === 'program') void run(carried, message.bundles)
  else if (message.type === 'snapshot') tell(carried)
  else leave(carried)
}

async function start(rank: RankStart): Promise<void> {
  const ranks =
    rank.options.mode === 'coroutine'
      ? new CoroutineRanks(rank)
      : new ThreadRank(rank, rank.clock && (await virtualParts(rank.rank, rank.clock)))
  becomeProcess(rank, port, () => ranks.writer)
  process.on('uncaughtException', (error) => {
    // A handler of the program's own decides for itself.
    if (process.listenerCount('uncaughtException') === 1) fail(ranks, error)
  })
  try {
    ranks.attach((message) => post(port, message))
    carried = ranks
  } catch (error) {
    fail(ranks, error)
  }
}

/** Loaded only where it is needed. */
async function virtualParts(rank: number, clock: ClockShare): Promise<ThreadRankParts> {
  const { ThreadRankParts } = await import('../../simulate/threads/thread-rank-parts.js')
  return new ThreadRankParts(rank, clock)
}

async function run(ranks: CarriedRanks, bundles: readonly Bundle[]): Promise<void> {
  // From here on the program alone keeps its thread alive.
  port.unref()
  mapStacks(bundles.map((bundle) => new SourcePositions(bundle)))
  try {
    const message = await ranks.run(bundles)
    // Until all have finished.
    if (message.type === 'finished') port.ref()
    post(port, message)
    if (asked) tell(ranks)
  } catch (error) {
    fail(ranks, error)
  }
}

function tell(ranks: CarriedRanks): void {
  const snapshot = ranks.snapshot()
  asked = snapshot === undefined
  if (snapshot) post(port, { type: 'snapshot', snapshot })
}

function leave(ranks: CarriedRanks): void {
  const legacy = ranks.legacy()
  if (legacy) post(port, legacy)
  port.unref()
}

function fail(ranks: CarriedRanks, error: unknown): void {
  post(port, failureMessage(error, ranks.writer))
  ranks.fail()
}
