import type { QueuePairState } from '../wire/queue-pair-state.js'

/** Attributes of a queue pair that `modify` takes and `query` gives. */
export interface QueuePairAttributes {
  /** Port of the HCA, from 1. */
  port: number
  /** Index into the port's partition key table. */
  partitionKeyIndex: number
  /** What the peer may do through this queue pair: flags of wire/access.ts. */
  access: number
  /** LID of the peer's port (the address vector of a local subnet). */
  destinationLocalIdentifier: number
  /** 256, 512, 1024, 2048 or 4096. */
  pathMtuBytes: number
  /** Number of the peer queue pair. */
  destinationQueuePairNumber: number
  /** First packet sequence number expected, 24 bits. */
  receivePacketSequenceNumber: number
  /** First packet sequence number sent, 24 bits. */
  sendPacketSequenceNumber: number
  /** RDMA READs and atomics the peer may have under way. */
  responderReadsMax: number
  /** RDMA READs and atomics this queue pair may have under way. */
  initiatorReadsMax: number
  /** Code 0..31 of the delay asked of a sender that finds no receive. */
  receiverNotReadyTimer: number
  /** Acknowledge timeout: 4.096 us times 2 to this; 0 waits for ever. */
  timeout: number
  /** Retransmissions, 0..7. */
  retryCount: number
  /** Retries after receiver-not-ready, 0..7; 7 for ever. */
  receiverNotReadyRetryCount: number
  /** The state the caller believes the queue pair to be in. */
  currentState: QueuePairState
}

export type QueuePairAttribute = keyof QueuePairAttributes

/** One legal change of state and the attributes that go with it. */
export interface Transition {
  readonly from: QueuePairState
  readonly to: QueuePairState
  readonly required: readonly QueuePairAttribute[]
  readonly optional: readonly QueuePairAttribute[]
}

/** What may be changed while the queue pair works. */
const whileReady = ['currentState', 'access', 'receiverNotReadyTimer'] as const

/**
 * The transitions of reliable connected queue pairs, from the kernel's `qp_state_table`. To RESET
 * from any state, and to ERR from any but RESET, no attribute is taken. (Alternate paths and the
 * drained event are not there yet.)
 */
export const reliableConnectedTransitions: readonly Transition[] = [
  {
    from: 'reset',
    to: 'init',
    required: ['partitionKeyIndex', 'port', 'access'],
    optional: [],
  },
  {
    from: 'init',
    to: 'init',
    required: [],
    optional: ['partitionKeyIndex', 'port', 'access'],
  },
  {
    from: 'init',
    to: 'readyToReceive',
    required: [
      'destinationLocalIdentifier',
      'pathMtuBytes',
      'destinationQueuePairNumber',
      'receivePacketSequenceNumber',
      'responderReadsMax',
      'receiverNotReadyTimer',
    ],
    optional: ['access', 'partitionKeyIndex'],
  },
  {
    from: 'readyToReceive',
    to: 'readyToSend',
    required: [
      'timeout',
      'retryCount',
      'receiverNotReadyRetryCount',
      'sendPacketSequenceNumber',
      'initiatorReadsMax',
    ],
    optional: whileReady,
  },
  { from: 'readyToSend', to: 'readyToSend', required: [], optional: whileReady },
  { from: 'readyToSend', to: 'drained', required: [], optional: [] },
  {
    from: 'drained',
    to: 'drained',
    required: [],
    optional: [
      'port',
      'destinationLocalIdentifier',
      'timeout',
      'retryCount',
      'receiverNotReadyRetryCount',
      'initiatorReadsMax',
      'responderReadsMax',
      'access',
      'partitionKeyIndex',
      'receiverNotReadyTimer',
    ],
  },
  { from: 'drained', to: 'readyToSend', required: [], optional: whileReady },
]

/** The transition between two states, `undefined` when it is not legal. */
export function findTransition(from: QueuePairState, to: QueuePairState): Transition | undefined {
  if (to === 'reset' || (to === 'error' && from !== 'reset')) {
    return { from, to, required: [], optional: [] }
  }
  return reliableConnectedTransitions.find((entry) => entry.from === from && entry.to === to)
}
