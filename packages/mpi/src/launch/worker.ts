import { workerData, type MessagePort } from 'node:worker_threads'
import type { CarriedRanks } from './carried-ranks.js'
import { CoroutineRanks } from './coroutine-ranks.js'
import { failureMessage } from './failure-message.js'
import type { ProgramMessage, RankStart } from './rank-message.js'
import { becomeProcess, post } from './rank-process.js'
import { mapStacks, SourcePositions } from './source-positions.js'
import { ThreadRank } from './thread-rank.js'

// The thread of one rank, or of all ranks of a coroutine job. The library is loaded and the rank
// attached while its program is still being bundled.

const { start, port } = workerData as { start: RankStart; port: MessagePort }
const carried: CarriedRanks =
  start.options.mode === 'coroutine' ? new CoroutineRanks(start) : new ThreadRank(start)
becomeProcess(start, port, () => carried.writer)
process.on('uncaughtException', (error) => {
  // A handler of the program's own decides for itself.
  if (process.listenerCount('uncaughtException') === 1) fail(error)
})
try {
  carried.attach((message) => post(port, message))
  port.once('message', (message: ProgramMessage) => {
    port.unref()
    void run(message)
  })
} catch (error) {
  fail(error)
}

async function run({ bundles }: ProgramMessage): Promise<void> {
  mapStacks(bundles.map((bundle) => new SourcePositions(bundle)))
  try {
    post(port, await carried.run(bundles))
  } catch (error) {
    fail(error)
  }
}

function fail(error: unknown): void {
  post(port, failureMessage(error, carried.writer))
  carried.fail()
}
