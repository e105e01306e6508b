import { receiveMessageOnPort, type MessagePort, type Worker } from 'node:worker_threads'
import type { Bundle } from '../program/bundle.js'
import { LineMerger } from '../output/line-merger.js'
import type { JobOutput } from '../job/job-output.js'
import type { StreamNumber } from '../output/output-queue.js'
import type { RankMessage, RankStart, ToRank } from './rank-message.js'
import type { RawThread } from './raw-thread.js'
import { SourcePositions } from '../program/source-positions.js'
import { OutputAccount, type OutputMessage } from '../output/rank-output.js'

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

  constructor(raw: RawThread, options: ThreadOptions, listener: ThreadListener) {
    this.rank = options.start.rank
    this.#listener = listener
    this.#options = options
    this.#port = raw.port
    this.#port.on('message', (message: RankMessage) => this.#receive(message))
    this.#worker = raw.worker
    this.#worker.on('error', (error) => this.#listener.broke(this, error))
    this.#worker.on('exit', (code) => this.#end(code))
    const { start, traits, output } = options
    const { shared: account } = this.#account
    const roads = { ...traits, account, counter: output.counter.shared }
    this.#post({ type: 'start', start: { ...start, output: roads } })
  }

  /** As Node's debugger knows it; -1 when it has gone. */
  get threadId(): number {
    return this.#worker.threadId
  }

  /** Has its ranks import their program and call `main`. */
  run(bundles: readonly Bundle[]): void {
    this.#positions = bundles.map((bundle) => new SourcePositions(bundle))
    this.#post({ type: 'program', bundles })
  }

  /** All ranks have finished: asks for what this one leaves behind. */
  askForLegacy(): void {
    this.#post({ type: 'all finished' })
  }

  /** Has a rank tell when it has finished; one that sleeps is asked in the world's memory. */
  askForSnapshot(): void {
    this.#post({ type: 'snapshot' })
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

  #post(message: ToRank): void {
    this.#port.postMessage(message)
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
