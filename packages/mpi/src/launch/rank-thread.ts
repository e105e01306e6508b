import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import type { Bundle } from './bundle.js'
import { LineMerger } from './line-merger.js'
import type { JobOutput } from './job-output.js'
import type { StreamNumber } from './output-queue.js'
import { packageFile } from './package-files.js'
import type { ProgramMessage, RankMessage, RankStart } from './rank-message.js'
import { SourcePositions } from './source-positions.js'
import { OutputAccount, type OutputMessage } from './rank-output.js'

/** What the job wants to hear of a thread. Nothing comes after `gone`. */
export interface ThreadListener {
  message(thread: RankThread, message: Exclude<RankMessage, OutputMessage>): void
  /** An error that the thread could not report itself, such as a full heap. */
  broke(thread: RankThread, error: Error): void
  gone(thread: RankThread, exitCode: number): void
}

export interface ThreadOptions {
  readonly start: Omit<RankStart, 'output'>
  readonly traits: Omit<RankStart['output'], 'account'>
  readonly env: Readonly<Record<string, string>>
  /** Whether rank 0 gets the standard input of this process. */
  readonly input: boolean
  readonly heapBytes: number | undefined
  /** Before each line of its output; may be empty. */
  readonly label: string
  readonly output: JobOutput
}

/** The thread of one rank (or of all ranks of a coroutine job), with its port and its output. */
export class RankThread {
  readonly rank: number
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #listener: ThreadListener
  readonly #account = new OutputAccount()
  readonly #mergers: Readonly<Record<StreamNumber, LineMerger>>
  #positions: SourcePositions | undefined
  #over = false

  constructor(options: ThreadOptions, listener: ThreadListener) {
    this.rank = options.start.rank
    this.#listener = listener
    const merger = (stream: StreamNumber) =>
      new LineMerger(options.label, (bytes, fresh) =>
        options.output.write(this.rank, stream, bytes, () => this.#account.out(fresh)),
      )
    this.#mergers = { 1: merger(1), 2: merger(2) }
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    this.#port.on('message', (message: RankMessage) => this.#receive(message))
    this.#worker = startWorker(options, this.#account, port2)
    this.#worker.on('error', (error) => this.#listener.broke(this, error))
    this.#worker.on('exit', (code) => this.#end(code))
  }

  /** As Node's debugger knows it; -1 when it has gone. */
  get threadId(): number {
    return this.#worker.threadId
  }

  /** Has the rank import its program and call `main`. */
  run(bundle: Bundle): void {
    this.#positions = new SourcePositions(bundle)
    this.#port.postMessage({ type: 'program', bundle } satisfies ProgramMessage)
  }

  /** A stack text of this thread, with positions in the sources. */
  mapped(stack: string): string {
    return this.#positions?.inText(stack) ?? stack
  }

  /** Ends the thread wherever it is; `gone` follows. */
  terminate(): void {
    if (!this.#over) void this.#worker.terminate()
  }

  /** Emits what is left of its last lines. */
  endLines(): void {
    for (const stream of [1, 2] as const) this.#mergers[stream].end()
  }

  #receive(message: RankMessage): void {
    if (message.type === 'output') this.#output(message)
    else if (message.type === 'stdin') this.#feed()
    else this.#listener.message(this, message)
  }

  #feed(): void {
    if (this.#worker.stdin) process.stdin.pipe(this.#worker.stdin)
  }

  #output({ stream, chunk }: OutputMessage): void {
    this.#account.received()
    // A held rest is no longer ahead: a long line must be able to end.
    this.#account.out(this.#mergers[stream].add(chunk))
  }

  #end(exitCode: number): void {
    if (this.#over) return
    // What the thread posted is here, even if it was terminated in the middle of its work.
    for (let left; (left = receiveMessageOnPort(this.#port));) this.#receive(left.message)
    this.#over = true
    this.#port.close()
    this.#listener.gone(this, exitCode)
  }
}

function startWorker(options: ThreadOptions, account: OutputAccount, port: MessagePort): Worker {
  const { start, traits, env, heapBytes } = options
  const workerData = { start: { ...start, output: { ...traits, account: account.shared } }, port }
  return new Worker(packageFile('launch/worker.js'), {
    name: `rank ${start.rank}`,
    workerData,
    transferList: [port],
    env: { ...process.env, ...env },
    stdin: options.input && start.rank === 0,
    // Nothing should come this way; what does is lost rather than mixed into lines.
    stdout: false,
    stderr: false,
    resourceLimits: heapBytes === undefined ? {} : { maxOldGenerationSizeMb: heapBytes / 2 ** 20 },
  })
}
