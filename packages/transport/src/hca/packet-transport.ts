/**
 * The reliable and unreliable transport protocols in packets, with sequence numbers, acknowledgements
 * and timers, as far as the rest of the engine has to know it. Absent on fabrics that carry whole
 * requests. Implemented in hca/packets.
 */
export interface PacketTransport {
  /** Goes on with the requests of a queue pair, as far as windows and order allow. */
  drive(queuePair: number): void
  /** Forgets what a queue pair has under way: it went to the error state, or was reset. */
  abandon(queuePair: number): void
  /** Requests of a queue pair that were started, as a count since its reset. */
  started(queuePair: number): number
}
