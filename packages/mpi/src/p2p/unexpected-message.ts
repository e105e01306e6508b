import type { Peer } from '../device/peer.js'
import type { Ordered } from './matching/ordered-list.js'
import type { Queued } from './matching/queued.js'

/** A message that arrived before its receive was posted. */
export class UnexpectedMessage implements Queued, Ordered {
  readonly context: number
  readonly source: number
  readonly tag: number
  order = 0
  previous: Queued | undefined
  next: Queued | undefined
  earlier: Ordered | undefined
  later: Ordered | undefined
  readonly peer: Peer
  readonly kind: number
  readonly bytes: number
  /** Its number among the messages of its sender, for the trace. */
  readonly number: number
  /** Eager: where its payload is kept, 0 when it has none. Rendezvous: where the payload waits. */
  readonly address: number
  /** Rendezvous only; `request` is then the sender's. */
  readonly key: number
  readonly request: number
  readonly eager: boolean

  constructor(
    peer: Peer,
    context: number,
    tag: number,
    kind: number,
    bytes: number,
    address: number,
    key: number,
    request: number,
    eager: boolean,
  ) {
    this.peer = peer
    this.context = context
    this.source = peer.rank
    this.tag = tag
    this.kind = kind
    this.bytes = bytes
    this.number = peer.received
    this.address = address
    this.key = key
    this.request = request
    this.eager = eager
  }
}
