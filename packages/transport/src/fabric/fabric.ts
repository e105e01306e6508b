import type { FaultRule, Transmission } from './faults/fault.js'
import type { PacketNetwork } from './packets/network.js'

/**
 * Outcome of carrying a request to its peer, beside the completion statuses 0 (success) and up
 * (wire/completion-status.ts): the peer has no receive for it. The queue pair waits, the request
 * stays first in its queue, and its owner is told to try again.
 */
export const RECEIVER_NOT_READY = -1

/** A request as a fault plan sees it, and how its queue pair deals with faults. */
export interface RequestDescription extends Transmission {
  /** Retransmissions after no answer came, 0..7. */
  readonly retries: number
  /** Retries after the peer had no receive, 7 for ever. */
  readonly receiverNotReadyRetries: number
  /** How long an answer is waited for. */
  readonly timeoutNs: number
  /** How long the peer asks to wait when it has no receive. */
  readonly receiverNotReadyNs: number
}

/** The half of an HCA that a fabric calls. */
export interface Responder {
  /** Place of the HCA in the world. */
  readonly index: number
  /**
   * Carries out the request in send queue entry `entry` of `queuePair` at that queue pair's peer.
   *
   * @returns a completion status for the requester, or `RECEIVER_NOT_READY`
   */
  respond(queuePair: number, entry: number): number
  /** Takes the requests of a queue pair up, to be carried in packets. */
  driveInPackets(queuePair: number): void
  /** For a fault plan: what the request is. */
  describe(queuePair: number, entry: number): RequestDescription
  /** Whether a request of the queue pair is answered, so that a loss is noticed. */
  isReliable(queuePair: number): boolean
  /** Has a queue pair go over to its alternate path, its peer as well; false when there is none. */
  migrate(queuePair: number): boolean
  /** Notes why a request fails, and gives its status back. */
  giveUp(status: number): number
  /** Has a fault of an HCA happen, to this one or another of the world. */
  suffer(fault: FaultRule): void
}

/** What connection managers tell each other (hca/mail.ts). */
export interface ManagementMessage {
  /** Attribute id of communication management. */
  readonly attribute: number
  readonly fields: Readonly<Record<string, number>>
  readonly privateData: Uint8Array
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
  /**
   * Has `deliver` called when a management message from one HCA has come to another; at once when left
   * out.
   */
  convey?(source: number, destination: number, deliver: () => void): void
  /** Is told of management messages, which reach HCA `destination` by another way. */
  overhear?(responder: Responder, destination: number, message: ManagementMessage): void
  /** What carries packets, where requests are not carried whole. */
  readonly network?: PacketNetwork
}
