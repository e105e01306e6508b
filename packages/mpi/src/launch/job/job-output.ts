import { OutputOrder, WriteCounter } from '../output/output-order.js'
import type { OutputSink, StreamNumber } from '../output/output-queue.js'

/** Who writes: a rank, or the launcher itself. */
export type Writer = number | 'launcher'

const NEWLINE = 10
const lineEnd = Buffer.of(NEWLINE)

/** All output of a job on its way to one sink: an unfinished line of one writer is ended before another writes. */
export class JobOutput {
  readonly counter = new WriteCounter()
  readonly order = new OutputOrder()
  readonly #sink: OutputSink
  /** By stream, whose line is unfinished. */
  readonly #open: Record<StreamNumber, Writer | undefined> = { 1: undefined, 2: undefined }

  constructor(sink: OutputSink) {
    this.#sink = sink
  }

  write(
    writer: Writer,
    stream: StreamNumber,
    bytes: Uint8Array,
    written: () => void = () => {},
  ): void {
    const open = this.#open[stream]
    if (open !== undefined && open !== writer) this.#sink.write(stream, lineEnd, () => {})
    this.#open[stream] = bytes.at(-1) === NEWLINE ? undefined : writer
    this.#sink.write(stream, bytes, written)
  }

  /** A report of the launcher on standard error; it begins a line on a terminal that shows both streams. */
  report(text: string): void {
    if (this.#open[1] !== undefined) this.write('launcher', 1, lineEnd)
    this.write('launcher', 2, Buffer.from(`${text}\n`))
  }
}
