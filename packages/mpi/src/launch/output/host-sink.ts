import type { OutputSink, StreamNumber } from './output-queue.js'
import type { StreamTraits } from './rank-output.js'

/** Output of a job that runs inside of another program: to that program's `process.stdout` and `stderr`. */
export class HostSink implements OutputSink {
  readonly traits = { out: traitsOf(process.stdout), err: traitsOf(process.stderr) }
  #waiting = 0
  #idle = () => {}

  write(stream: StreamNumber, bytes: Uint8Array, written: () => void): void {
    this.#waiting++
    const target = stream === 1 ? process.stdout : process.stderr
    target.write(bytes, () => {
      written()
      if (--this.#waiting === 0) this.#idle()
    })
  }

  /** Resolves when all that was written so far is out. */
  async flushed(): Promise<void> {
    if (this.#waiting > 0) await new Promise<void>((resolve) => (this.#idle = resolve))
  }
}

/** What a rank may know of a stream of this process. */
export function traitsOf(stream: NodeJS.WriteStream): StreamTraits {
  return { isTTY: stream.isTTY === true, columns: stream.columns || 80, rows: stream.rows || 24 }
}
