import { createRequire } from 'node:module'
import { Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import type { MessagePort } from 'node:worker_threads'
import type { WriteCounter } from './output-order.js'
import type { StreamNumber } from './output-queue.js'

/** What a rank knows of the stream its output ends in. Structured-cloneable. */
export interface StreamTraits {
  readonly isTTY: boolean
  readonly columns: number
  readonly rows: number
}

/** One write of a rank, as it travels. */
export interface OutputMessage {
  readonly type: 'output'
  readonly stream: StreamNumber
  readonly chunk: string | Uint8Array
  /** Its place among the writes of all ranks. */
  readonly number: number
  /** Who wrote it on a thread that carries several ranks, where that is wanted. */
  readonly rank?: number | undefined
}

/** A rank writes at most this far ahead of its reader; then it waits. */
const AHEAD_BYTES_MAX = 2 ** 20

/**
 * What each message counts beside its bytes until it is received: the main thread works off a port's
 * whole queue in one go, so the queue must be short for signals and timers to have their turn.
 */
const MESSAGE_BYTES = 1024

/**
 * Bytes that a rank has posted and that are not out yet: one word in shared memory. The rank adds,
 * the job's main thread subtracts.
 */
export class OutputAccount {
  readonly shared: SharedArrayBuffer
  readonly #ahead: Int32Array

  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared
    this.#ahead = new Int32Array(shared)
  }

  /** By the rank, for each message; blocks while too much is under way. */
  posted(bytes: number): void {
    const charge = bytes + MESSAGE_BYTES
    let ahead = Atomics.add(this.#ahead, 0, charge) + charge
    while (ahead > AHEAD_BYTES_MAX) {
      Atomics.wait(this.#ahead, 0, ahead)
      ahead = Atomics.load(this.#ahead, 0)
    }
  }

  /** By the main thread, for each message. */
  received(): void {
    this.out(MESSAGE_BYTES)
  }

  /** By the main thread: these bytes are out, or are held as the beginning of a line. */
  out(bytes: number): void {
    if (bytes === 0) return
    Atomics.sub(this.#ahead, 0, bytes)
    Atomics.notify(this.#ahead, 0)
  }
}

/** How the output of a thread reaches the job's main thread. */
export interface OutputRoad {
  readonly port: MessagePort
  readonly account: OutputAccount
  readonly counter: WriteCounter
  /** Whose output it is on a thread that carries several ranks. */
  readonly writer: () => number | undefined
}

/**
 * `process.stdout` or `process.stderr` of a rank. Each write is posted at once, so it survives a
 * thread that blocks, ends or runs out of memory.
 */
export class RankOutput extends Writable {
  readonly fd: StreamNumber
  readonly isTTY: boolean | undefined
  readonly columns: number | undefined
  readonly rows: number | undefined
  readonly #road: OutputRoad

  constructor(fd: StreamNumber, traits: StreamTraits, road: OutputRoad) {
    super({ decodeStrings: false })
    this.fd = fd
    this.isTTY = traits.isTTY || undefined
    this.columns = traits.isTTY ? traits.columns : undefined
    this.rows = traits.isTTY ? traits.rows : undefined
    this.#road = road
  }

  getWindowSize(): [columns: number, rows: number] {
    return [this.columns ?? 80, this.rows ?? 24]
  }

  getColorDepth(env?: object): number {
    return terminal().getColorDepth.call(this as never, env)
  }

  hasColors(count?: number | object, env?: object): boolean {
    return terminal().hasColors.call(this as never, count as never, env)
  }

  override _write(
    chunk: string | Uint8Array,
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    // A copy: the program may change its array, and a small Buffer is a window on a large pool.
    const owned = typeof chunk !== 'string' ? new Uint8Array(chunk) : asText(chunk, encoding)
    const { port, account, counter, writer } = this.#road
    const message: OutputMessage = {
      type: 'output',
      stream: this.fd,
      chunk: owned,
      number: counter.next(),
      rank: writer(),
    }
    port.postMessage(message)
    account.posted(Buffer.byteLength(owned))
    done()
  }

  override _destroy(_error: Error | null, done: (error?: Error | null) => void): void {
    // As for the streams of a process: they cannot be closed.
    done()
  }
}

function asText(chunk: string, encoding: BufferEncoding): string | Uint8Array {
  return encoding === 'utf8' || encoding === 'utf-8'
    ? chunk
    : new Uint8Array(Buffer.from(chunk, encoding))
}

/** Loaded only where colours are asked for. */
function terminal(): WriteStream {
  return createRequire(import.meta.url)('node:tty').WriteStream.prototype
}
