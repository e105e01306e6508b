import { write } from 'node:fs'

/** 1 is standard output, 2 standard error. */
export type StreamNumber = 1 | 2

/** Where the lines of a job go. `written` is called when the bytes are out, or can never be. */
export interface OutputSink {
  write(stream: StreamNumber, bytes: Uint8Array, written: () => void): void
}

interface Entry {
  readonly stream: StreamNumber
  readonly bytes: Uint8Array
  readonly written: () => void
}

/** Milliseconds until a full non-blocking descriptor is tried again. */
const FULL_RETRY_MS = 5

/**
 * Writes to the descriptors of this process in order, one write at a time, on Node's thread pool:
 * a reader that stops reading never blocks this thread.
 */
export class OutputQueue implements OutputSink {
  readonly #descriptors: Readonly<Record<StreamNumber, number>>
  readonly #closed: (stream: StreamNumber) => void
  readonly #waiting: Entry[] = []
  readonly #broken = new Set<StreamNumber>()
  #idleListeners: (() => void)[] = []
  #writing = false

  /** `closed` is told once when the reader of a stream has gone (a closed pipe). */
  constructor(
    descriptors: Readonly<Record<StreamNumber, number>>,
    closed: (stream: StreamNumber) => void,
  ) {
    this.#descriptors = descriptors
    this.#closed = closed
  }

  write(stream: StreamNumber, bytes: Uint8Array, written: () => void): void {
    this.#waiting.push({ stream, bytes, written })
    if (!this.#writing) this.#next()
  }

  /** Resolves when all that was written so far is out. */
  async flushed(): Promise<void> {
    if (!this.#writing) return
    await new Promise<void>((resolve) => this.#idleListeners.push(resolve))
  }

  #next(): void {
    const batch = this.#takeBatch()
    this.#writing = batch.length > 0
    if (batch.length === 0) {
      const listeners = this.#idleListeners
      this.#idleListeners = []
      for (const listener of listeners) listener()
      return
    }
    const bytes =
      batch.length === 1 ? batch[0]!.bytes : Buffer.concat(batch.map((entry) => entry.bytes))
    this.#put(batch[0]!.stream, bytes, () => {
      for (const entry of batch) entry.written()
      this.#next()
    })
  }

  /** The longest run of entries for one stream, up to some 256 KiB. */
  #takeBatch(): Entry[] {
    let count = 0
    let bytes = 0
    while (count < this.#waiting.length && bytes < 2 ** 18) {
      const entry = this.#waiting[count]!
      if (entry.stream !== this.#waiting[0]!.stream) break
      bytes += entry.bytes.length
      count++
    }
    return this.#waiting.splice(0, count)
  }

  #put(stream: StreamNumber, bytes: Uint8Array, done: () => void): void {
    if (bytes.length === 0 || this.#broken.has(stream)) {
      setImmediate(done)
      return
    }
    write(this.#descriptors[stream], bytes, (error, count) => {
      if (!error) this.#put(stream, bytes.subarray(count), done)
      else if (error.code === 'EAGAIN')
        setTimeout(() => this.#put(stream, bytes, done), FULL_RETRY_MS)
      else {
        this.#broken.add(stream)
        this.#closed(stream)
        done()
      }
    })
  }
}
