import { serialize } from 'node:v8'
import { workerData, type MessagePort } from 'node:worker_threads'
import { createMpi, type Program } from '../api/index.js'
import { RankRuntime, type RankEnvironment } from '../engine/index.js'
import { AbortedError, packError } from '../errors/index.js'
import type { Bundle } from './bundle.js'
import { finishedMessage } from './finished-message.js'
import type { ProgramMessage, RankStart } from './rank-message.js'
import { becomeProcess, post, setCommandLine } from './rank-process.js'
import { importMain } from './rank-program.js'
import { mapStacks, SourcePositions } from './source-positions.js'

// The thread of one rank: everything from here on happens in each rank once.

const { start, port } = workerData as { start: RankStart; port: MessagePort }
becomeProcess(start, port)
const runtime = attach()
process.on('uncaughtException', (error) => {
  // A handler of the program's own decides for itself.
  if (process.listenerCount('uncaughtException') === 1) fail(error)
})
port.once('message', ({ bundle }: ProgramMessage) => {
  port.unref()
  if (runtime) void run(runtime, bundle)
})

function attach(): RankRuntime | undefined {
  try {
    const options = { post: (message) => post(port, message) } satisfies RankEnvironment
    return RankRuntime.attach(start.descriptor, start.rank, options)
  } catch (error) {
    post(port, { type: 'failed', error: packError(error) })
    return undefined
  }
}

async function run(rank: RankRuntime, bundle: Bundle): Promise<void> {
  mapStacks(new SourcePositions(bundle))
  setCommandLine(bundle.sourceFile, start.args)
  try {
    const main = await importMain<Program>(bundle)
    rank.start()
    const value = await main(createMpi(rank, start))
    const facts = await rank.finalize()
    post(port, finishedMessage(rank, facts, start.returns ? serialize(value) : undefined))
  } catch (error) {
    fail(error)
  }
}

function fail(error: unknown): void {
  if (error instanceof AbortedError && error.origin !== undefined) {
    const { origin, exitCode, stack = '' } = error
    post(port, { type: 'abort', origin, code: exitCode, stack })
  } else {
    post(port, { type: 'failed', error: packError(error) })
  }
  runtime?.fail()
}
