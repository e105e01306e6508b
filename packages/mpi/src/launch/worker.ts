import { serialize } from 'node:v8'
import { workerData, type MessagePort } from 'node:worker_threads'
import { createMpi, type Program } from '../api/index.js'
import { RankRuntime } from '../engine/index.js'
import { AbortedError, packError } from '../errors/index.js'
import type { Bundle } from './bundle.js'
import type { ProgramMessage, RankStart } from './rank-message.js'
import { becomeProcess, post, setCommandLine } from './rank-process.js'
import { importMain } from './rank-program.js'
import { mapStacks, SourcePositions } from './source-positions.js'

// The thread of one rank: everything from here on happens in each rank once.

const { start, port } = workerData as { start: RankStart; port: MessagePort }
becomeProcess(start, port)
const runtime = RankRuntime.attach(start.descriptor, start.rank, {
  post: (message) => port.postMessage(message),
})
process.on('uncaughtException', (error) => {
  // A handler of the program's own decides for itself.
  if (process.listenerCount('uncaughtException') === 1) fail(error)
})
port.once('message', ({ bundle }: ProgramMessage) => {
  port.unref()
  void run(bundle)
})

async function run(bundle: Bundle): Promise<void> {
  mapStacks(new SourcePositions(bundle))
  setCommandLine(bundle.sourceFile, start.args)
  try {
    const main = await importMain<Program>(bundle)
    runtime.start()
    const value = await main(createMpi(runtime, start))
    const facts = await runtime.finalize()
    post(port, { type: 'finished', value: start.returns ? serialize(value) : undefined, facts })
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
  runtime.fail()
}
