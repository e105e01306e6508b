import type {
  CheckedMapping,
  MessageRingReceiver,
  MessageRingSender,
  QueuePair,
} from '@commworld/transport'

/** A message that waits until its peer's path has room: what its header will say, and its payload. */
export interface Outgoing {
  head: number
  context: number
  tag: number
  bytes: number
  request: number
  address: number
  key: number
  /** Address of the `bytes` bytes that follow the header; 0 when none do. */
  payload: number
  /** Called when the message has been handed to the HCA. */
  onPosted: (() => void) | undefined
}

/** A message of the library itself, with the fields that it uses. */
export function headerOnly(head: number, fields: Partial<Outgoing>): Outgoing {
  return {
    head,
    context: 0,
    tag: 0,
    bytes: 0,
    request: 0,
    address: 0,
    key: 0,
    payload: 0,
    onPosted: undefined,
    ...fields,
  }
}

/** Another rank as this one knows it. Made at first use. */
export class Peer {
  readonly rank: number
  readonly queuePair: QueuePair
  /** The polled ring in the peer's memory, once it has offered one. */
  ringOut: { readonly mapping: CheckedMapping; readonly sender: MessageRingSender } | undefined
  /** The ring in ours that it was offered. */
  offeredRing: MessageRingReceiver | undefined
  /** Messages that came through the shared receive queue: what makes a peer hot. */
  arrivals = 0
  /** Address of the peer's doorbell. */
  readonly doorbell: number
  /** Sends to it that hold a buffer until it takes them in. */
  sendsUnderWay = 0
  /** What waits for room, oldest first; new messages queue behind it. */
  readonly backlog: Outgoing[] = []
  /** Eager bytes that may still be sent before the peer gives some back. */
  credit: number
  /** Eager bytes of the peer that have been consumed here and not yet given back. */
  owed = 0
  /** Messages to and from it over all communicators, for reports and traces. */
  sent = 0
  received = 0

  constructor(rank: number, queuePair: QueuePair, doorbell: number, credit: number) {
    this.rank = rank
    this.queuePair = queuePair
    this.doorbell = doorbell
    this.credit = credit
  }
}
