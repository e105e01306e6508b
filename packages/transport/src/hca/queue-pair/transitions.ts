import type { QueuePairState } from '../../wire/queue-pair-state.js'
import type { ServiceType } from '../../wire/service-type.js'

/** Attributes of a queue pair that `modify` takes and `query` gives. */
export interface QueuePairAttributes {
  /** Port of the HCA, from 1. */
  port: number
  /** Index into the port's partition key table. */
  partitionKeyIndex: number
  /** What the peer may do through this queue pair: flags of wire/access.ts. */
  access: number
  /** Queue key that datagrams to it must bring; unreliable datagram only. */
  queueKey: number
  /** LID of the peer's port (the address vector of a local subnet); 0x4000 more in the second plane. */
  destinationLocalIdentifier: number
  /** Service level of the path, 0..15; goes with the address vector. */
  serviceLevel: number
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
  /** LID of the alternate path, 0 for none. */
  alternateLocalIdentifier: number
  /** State of path migration: 0 migrated, 1 rearm, 2 armed. 0 has an armed queue pair migrate now. */
  pathMigrationState: number
  /** 1: an event is raised once the send queue is drained. */
  drainNotify: number
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

type Attributes = readonly QueuePairAttribute[]

function row(
  from: QueuePairState,
  to: QueuePairState,
  required: Attributes,
  optional: Attributes,
): Transition {
  return { from, to, required, optional }
}

// The tables below are `qp_state_table` of the kernel's verbs.c, as ibv_modify_qp.3 prints it, one
// line a transition: from, to, required, optional. The service level comes with the address vector.
// To RESET from any state, and to ERR from any but RESET, no attribute is taken.

const receiverNotReadyTimer = 'receiverNotReadyTimer'
const path: Attributes = ['alternateLocalIdentifier', 'pathMigrationState']
const setUp: Attributes = ['partitionKeyIndex', 'port', 'access']
const atReceive: Attributes = [
  'serviceLevel',
  'alternateLocalIdentifier',
  'access',
  'partitionKeyIndex',
]
const connected: Attributes = [
  'destinationLocalIdentifier',
  'pathMtuBytes',
  'destinationQueuePairNumber',
  'receivePacketSequenceNumber',
]

const reliableRunning: Attributes = ['currentState', 'access', receiverNotReadyTimer, ...path]
/** Transitions of reliable connected queue pairs. */
export const reliableConnectedTransitions: readonly Transition[] = [
  row('reset', 'init', setUp, []),
  row('init', 'init', [], setUp),
  row(
    'init',
    'readyToReceive',
    [...connected, 'responderReadsMax', receiverNotReadyTimer],
    atReceive,
  ),
  row(
    'readyToReceive',
    'readyToSend',
    [
      'timeout',
      'retryCount',
      'receiverNotReadyRetryCount',
      'sendPacketSequenceNumber',
      'initiatorReadsMax',
    ],
    reliableRunning,
  ),
  row('readyToSend', 'readyToSend', [], reliableRunning),
  row('readyToSend', 'drained', [], ['drainNotify']),
  row(
    'drained',
    'drained',
    [],
    [
      ...(['port', 'destinationLocalIdentifier', 'serviceLevel', 'timeout', 'retryCount'] as const),
      ...(['receiverNotReadyRetryCount', 'initiatorReadsMax', 'responderReadsMax'] as const),
      ...(['access', 'partitionKeyIndex', receiverNotReadyTimer] as const),
      ...path,
    ],
  ),
  row('drained', 'readyToSend', [], reliableRunning),
]

const unreliableRunning: Attributes = ['currentState', 'access', ...path]
/** Transitions of unreliable connected queue pairs. */
export const unreliableConnectedTransitions: readonly Transition[] = [
  row('reset', 'init', setUp, []),
  row('init', 'init', [], setUp),
  row('init', 'readyToReceive', connected, atReceive),
  row('readyToReceive', 'readyToSend', ['sendPacketSequenceNumber'], unreliableRunning),
  row('readyToSend', 'readyToSend', [], unreliableRunning),
  row('readyToSend', 'drained', [], ['drainNotify']),
  row(
    'drained',
    'drained',
    [],
    ['destinationLocalIdentifier', 'serviceLevel', 'access', 'partitionKeyIndex', ...path],
  ),
  row('drained', 'readyToSend', [], unreliableRunning),
  row('sendError', 'readyToSend', [], ['currentState', 'access']),
]

const datagramSetUp: Attributes = ['partitionKeyIndex', 'port', 'queueKey']
const datagramRunning: Attributes = ['currentState', 'queueKey']
/** Transitions of unreliable datagram queue pairs. */
export const unreliableDatagramTransitions: readonly Transition[] = [
  row('reset', 'init', datagramSetUp, []),
  row('init', 'init', [], datagramSetUp),
  row('init', 'readyToReceive', [], ['partitionKeyIndex', 'queueKey']),
  row('readyToReceive', 'readyToSend', ['sendPacketSequenceNumber'], datagramRunning),
  row('readyToSend', 'readyToSend', [], datagramRunning),
  row('readyToSend', 'drained', [], ['drainNotify']),
  row('drained', 'drained', [], ['partitionKeyIndex', 'queueKey']),
  row('drained', 'readyToSend', [], datagramRunning),
  row('sendError', 'readyToSend', [], datagramRunning),
]

/** The table of each service. */
export const transitionTables: Readonly<Record<ServiceType, readonly Transition[]>> = {
  reliableConnected: reliableConnectedTransitions,
  unreliableConnected: unreliableConnectedTransitions,
  unreliableDatagram: unreliableDatagramTransitions,
}

/** The transition between two states, `undefined` when it is not legal. */
export function findTransition(
  from: QueuePairState,
  to: QueuePairState,
  service: ServiceType = 'reliableConnected',
): Transition | undefined {
  if (to === 'reset' || (to === 'error' && from !== 'reset')) return row(from, to, [], [])
  return transitionTables[service].find((entry) => entry.from === from && entry.to === to)
}
