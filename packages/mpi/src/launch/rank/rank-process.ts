import type { MessagePort } from 'node:worker_threads'
import { WriteCounter } from '../output/output-order.js'
import { OutputAccount, RankOutput, type OutputRoad } from '../output/rank-output.js'
import type { RankMessage, RankStart } from './rank-message.js'

/**
 * Makes `process` of a rank's thread that of a program of its own: its output goes to the job line by
 * line, `process.argv` is the program's, and `process.exit` ends the whole job.
 */
export function becomeProcess(
  start: RankStart,
  port: MessagePort,
  writer: () => number | undefined,
): void {
  const { account, counter, out, err } = start.output
  const road: OutputRoad = {
    port,
    account: new OutputAccount(account),
    counter: new WriteCounter(counter),
    writer,
  }
  Object.assign(process.env, start.env)
  replaceStream('stdout', new RankOutput(1, out, road))
  replaceStream('stderr', new RankOutput(2, err, road))
  if (start.rank === 0) askForInput(port)
  const endThread = process.exit
  process.exit = (code = process.exitCode ?? 0) => {
    const { stack = '' } = new Error('exit')
    post(port, { type: 'exit', code: Number(code), stack })
    return endThread(code)
  }
}

/** What the program sees as its command line: node, the source, its arguments. */
export function setCommandLine(sourceFile: string, args: readonly string[]): void {
  process.argv.splice(1, process.argv.length, sourceFile, ...args)
}

export function post(port: MessagePort, message: RankMessage): void {
  port.postMessage(message)
}

function replaceStream(name: 'stdout' | 'stderr', stream: RankOutput): void {
  Object.defineProperty(process, name, { value: stream, configurable: true, enumerable: true })
}

/** Standard input is rank 0's, and read only when the program asks for it. */
function askForInput(port: MessagePort): void {
  const { get } = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {}
  if (!get) return
  let asked = false
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    enumerable: true,
    get() {
      if (!asked) post(port, { type: 'stdin' })
      asked = true
      return get.call(process)
    },
  })
}
