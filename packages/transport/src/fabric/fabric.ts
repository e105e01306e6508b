/**
 * Outcome of carrying a request to its peer, beside the completion statuses 0 (success) and up
 * (wire/completion-status.ts): the peer has no receive for it. The queue pair waits, the request
 * stays first in its queue, and its owner is told to try again.
 */
export const RECEIVER_NOT_READY = -1

/** The responder's half of an HCA, as a fabric calls it when a request arrives. */
export interface Responder {
  /**
   * Carries out the request in send queue entry `entry` of `queuePair` at that queue pair's peer.
   *
   * @returns a completion status for the requester, or `RECEIVER_NOT_READY`
   */
  respond(queuePair: number, entry: number): number
}

/**
 * What lies between HCAs. A fabric decides when a request reaches its peer, and whether it does; it
 * never looks at data.
 */
export interface Fabric {
  /** Whether a peer's memory may be written through a checked mapping (verbs/mapping.ts). */
  readonly mapsMemory: boolean
  /** Whether the last byte of an RDMA WRITE appears last; false when left out. */
  readonly dataInOrder?: boolean
  /**
   * Brings the request in send queue entry `entry` of `queuePair` to its peer, where `responder`
   * does the rest, and gives the outcome: the responder's, or that of a message that never came.
   */
  carry(responder: Responder, queuePair: number, entry: number): number
  /** Called once with each HCA that is opened on the fabric. */
  join?(responder: Responder): void
}
