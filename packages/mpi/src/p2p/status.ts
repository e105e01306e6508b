import { PROC_NULL, type Peer } from './sentinels.js'

/**
 * What became of a message (MPI 4.1, section 3.2.5).
 *
 * @example
 * const status = new Status()
 * const value = world.recv({ source: ANY_SOURCE, status })
 * console.log(`from ${String(status.source)}: ${status.bytes} bytes`)
 */
export class Status {
  /** Rank of the sender in the communicator of the receive, or `PROC_NULL`. */
  declare source: Peer
  /** Tag of the message; -1 where there was none (`PROC_NULL`, a send). */
  declare tag: number
  /** Length of the message in bytes. */
  declare bytes: number
  /** Length in elements of the sender's kind; `undefined` for values. */
  declare count: number | undefined
  /** Whether the operation was cancelled before it matched. */
  declare cancelled: boolean

  /** Empty, as of an operation that moved nothing. */
  constructor() {
    this.source = PROC_NULL
    this.tag = -1
    this.bytes = 0
    this.count = 0
    this.cancelled = false
  }
}

/** Fills `to` with what `from` says. */
export function copyStatus(from: Status, to: Status): void {
  to.source = from.source
  to.tag = from.tag
  to.bytes = from.bytes
  to.count = from.count
  to.cancelled = from.cancelled
}
