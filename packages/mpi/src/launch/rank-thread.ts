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
  readonly traits: Pick<RankStart['output'], 'out' | 'err'>
  readonly env: Readonly<Record<string, string>>
  /** Whether rank 0 gets the standard input of this process. */
  readonly input: boolean
  readonly heapBytes: number | undefined
  /** Before each line of a rank's output; may be empty. */
  readonly labelOf: (rank: number) => string
  readonly output: JobOutput
}

/** The thread of one rank (or of all ranks of a coroutine job), with its port and its output. */
export class RankThread {
  readonly rank: number
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #listener: ThreadListener
  readonly #account = new OutputAccount()
  readonly #options: ThreadOptions
  /** By rank and stream. */
  readonly #mergers = new Map<string, LineMerger>()
  #positions: readonly SourcePositions[] = []
  #over = false

  constructor(options: ThreadOptions, listener: ThreadListener) {
    this.rank = options.start.rank
    this.#listener = listener
    this.#options = options
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

  /** Has its ranks import their program and call `main`. */
  run(bundles: readonly Bundle[]): void {
    this.#positions = bundles.map((bundle) => new SourcePositions(bundle))
    this.#port.postMessage({ type: 'program', bundles } satisfies ProgramMessage)
  }

  /** A stack text of this thread, with positions in the sources. */
  mapped(stack: string): string {
    return this.#positions.reduce((text, positions) => positions.inText(text), stack)
  }

  /** Ends the thread wherever it is; `gone` follows. */
  terminate(): void {
    if (!this.#over) void this.#worker.terminate()
  }

  /** Emits what is left of its last lines. */
  endLines(): void {
    for (const merger of this.#mergers.values()) merger.end()
  }

  #receive(message: RankMessage): void {
    if (message.type === 'output') this.#output(message)
    else if (message.type === 'stdin') this.#feed()
    else this.#listener.message(this, message)
  }

  #feed(): void {
    if (this.#worker.stdin) process.stdin.pipe(this.#worker.stdin)
  }

  #output({ stream, chunk, number, rank = this.rank }: OutputMessage): void {
    this.#account.received()
    this.#options.output.order.add(number, () => {
      // A held rest is no longer ahead: a long line must be able to end.
      this.#account.out(this.#merger(rank, stream).add(chunk))
    })
  }

  #merger(rank: number, stream: StreamNumber): LineMerger {
    const key = `${rank} ${stream}`
    let merger = this.#mergers.get(key)
    if (merger === undefined) {
      const { labelOf, output } = this.#options
      merger = new LineMerger(labelOf(rank), (bytes, fresh) =>
        output.write(rank, stream, bytes, () => this.#account.out(fresh)),
      )
      this.#mergers.set(key, merger)
    }
    return merger
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
  const output = {
    ...traits,
    account: account.shared,
    counter: options.output.counter.shared,
  }
  const workerData = { start: { ...start, output } satisfies RankStart, port }
  return new Worker(packageFile('launch/worker.js'), {
    name: `rank ${start.rank}`,
    workerData,
    transferList: [port],
    env: { ...process.env, ...env },
    stdin: options.input && start.rank === 0,
    // The thread's own streams, which nothing uses: piped to ours they would ask the rank's for more.
    stdout: true,
    stderr: true,
    resourceLimits: heapBytes === undefined ? {} : { maxOldGenerationSizeMb: heapBytes / 2 ** 20 },
  })
}
