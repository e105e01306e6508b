import type { AddressAttributes } from '../address-handle.js'
import type { ConnectionIdentifier } from './connection-identifier.js'

/** Events of connections: names for those of rdma_get_cm_event.3. */
export type ConnectionEventName =
  | 'addressResolved'
  | 'addressError'
  | 'routeResolved'
  | 'routeError'
  | 'connectRequest'
  | 'connectResponse'
  | 'connectError'
  | 'unreachable'
  | 'rejected'
  | 'established'
  | 'disconnected'
  | 'deviceRemoval'
  | 'multicastJoin'
  | 'multicastError'
  | 'timeWaitExit'

/** What connecting agrees upon (`rdma_conn_param`). */
export interface ConnectionParameters {
  /** For the other side to read; how much fits depends on the step (`PRIVATE_DATA_MAX`). */
  privateData?: Uint8Array
  /** READs and atomics the other side may have under way here. Default 16. */
  responderResources?: number
  /** READs and atomics this side wants to have under way. Default 16. */
  initiatorDepth?: number
  /** Default 7. */
  retryCount?: number
  /** Default 7, for ever. */
  receiverNotReadyRetryCount?: number
}

/** What an event brings beyond its name. */
export interface ConnectionEventFacts {
  /** For `connectRequest`: the identifier that listens; `id` is a new one. */
  listener?: ConnectionIdentifier
  /** Why, for errors and rejections: 0, a reason of communication management, or an errno. */
  status?: number
  privateData?: Uint8Array
  responderResources?: number
  initiatorDepth?: number
  /** Datagrams: how to reach the other side, or the group. */
  address?: AddressAttributes
  queuePairNumber?: number
  queueKey?: number
}

/** An event of a connection (rdma_get_cm_event.3). */
export class ConnectionEvent {
  readonly name: ConnectionEventName
  readonly id: ConnectionIdentifier
  readonly listener: ConnectionIdentifier | undefined
  readonly status: number
  readonly privateData: Uint8Array
  readonly responderResources: number
  readonly initiatorDepth: number
  readonly address: AddressAttributes | undefined
  readonly queuePairNumber: number
  readonly queueKey: number
  #acknowledged = false

  constructor(name: ConnectionEventName, id: ConnectionIdentifier, facts: ConnectionEventFacts) {
    this.name = name
    this.id = id
    this.listener = facts.listener
    this.status = facts.status ?? 0
    this.privateData = facts.privateData ?? new Uint8Array(0)
    this.responderResources = facts.responderResources ?? 0
    this.initiatorDepth = facts.initiatorDepth ?? 0
    this.address = facts.address
    this.queuePairNumber = facts.queuePairNumber ?? 0
    this.queueKey = facts.queueKey ?? 0
    id.countEvent(1)
  }

  /** Says that it has been dealt with; the identifier can be destroyed then. Twice is once. */
  acknowledge(): void {
    if (this.#acknowledged) return
    this.#acknowledged = true
    this.id.countEvent(-1)
  }
}

/** Bytes of private data that each step has room for (rdma_connect.3, rdma_accept.3). */
export const PRIVATE_DATA_MAX = {
  connect: 56,
  connectDatagram: 180,
  accept: 196,
  acceptDatagram: 136,
  reject: 148,
} as const
