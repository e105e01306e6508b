import type { Peer, Source, Tag } from '../p2p/sentinels.js'
import type { Status } from '../p2p/status.js'

/** Where a message goes. */
export interface SendOptions {
  /** Rank of the receiver, or `PROC_NULL`. */
  dest: Peer
  /** 0 to 2^30 - 1; 0 when left out. */
  tag?: number
}

/** Which message to take. */
export interface RecvOptions {
  /** Rank of the sender, `ANY_SOURCE` or `PROC_NULL`. */
  source: Source
  /** `ANY_TAG` when left out. */
  tag?: Tag
  /** Filled with what became of the message. */
  status?: Status
}

/** Which message to look at. */
export interface ProbeOptions {
  source: Source
  tag?: Tag
}

/** Both ends of an exchange. */
export interface SendrecvOptions {
  dest: Peer
  /** 0 when left out. */
  sendTag?: number
  source: Source
  /** `ANY_TAG` when left out. */
  recvTag?: Tag
  status?: Status
}
