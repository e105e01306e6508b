import { takeReceive } from '../../ring/receive-queue.js'
import { sendsDone } from '../../ring/work-queue.js'
import { FLUSH_GLOBAL, FLUSH_PERSISTENT, QUEUE_PAIR_ACCESS_ALL } from '../../wire/access.js'
import { REMOTE_ATOMIC, REMOTE_READ } from '../../wire/access.js'
import { FLUSHED } from '../../wire/completion-status.js'
import { CAUSE_MODIFIED } from '../../wire/error-cause.js'
import { HCA_PARTITION_KEY_COUNT, HCA_PARTITION_KEYS } from '../../wire/hca-block.js'
import { HCA_PORT_MTU_BYTES, HCA_PORT_STATE } from '../../wire/hca-block.js'
import {
  NOTICE_DRAINED,
  PORT_DOWN_MARK,
  QP_ACCESS,
  QP_ACCESS_GIVEN,
} from '../../wire/queue-pair.js'
import { QP_ALTERNATE_LID, QP_DRAIN_NOTIFY, QP_ERROR_CAUSE } from '../../wire/queue-pair.js'
import {
  QP_ERROR_REQUEST,
  QP_ERROR_STATUS,
  QP_HCA,
  QP_MIGRATION_STATE,
} from '../../wire/queue-pair.js'
import { QP_MIN_RNR_TIMER, QP_NOTICES, QP_PARTITION_KEY_INDEX } from '../../wire/queue-pair.js'
import { QP_PATH_MTU_BYTES, QP_PEER, QP_PEER_INDEX, QP_PEER_NUMBER } from '../../wire/queue-pair.js'
import { QP_PLANE } from '../../wire/queue-pair.js'
import { QP_PEER_READS_MAX, QP_PORT, QP_QUEUE_KEY, QP_READS_MAX } from '../../wire/queue-pair.js'
import {
  QP_RECEIVE_PSN,
  QP_RECEIVE_RING,
  QP_RETRY_COUNT,
  QP_RNR_RETRY,
} from '../../wire/queue-pair.js'
import {
  QP_SEND_PSN,
  QP_SERVICE,
  QP_SERVICE_LEVEL,
  QP_SRQ,
  QP_STARTED,
} from '../../wire/queue-pair.js'
import { QP_STATE, QP_TIMEOUT, QP_WAITING } from '../../wire/queue-pair.js'
import { INIT, queuePairStateName, queuePairStateNames } from '../../wire/queue-pair-state.js'
import type { QueuePairState } from '../../wire/queue-pair-state.js'
import { RELIABLE_CONNECTED, serviceName } from '../../wire/service-type.js'
import type { ServiceType } from '../../wire/service-type.js'
import { scrubCompletions } from './completion-queue-life.js'
import { warnOfDisagreement } from './disagreement.js'
import { wakeEarlySenders } from './early-senders.js'
import { enterError } from './error-state.js'
import type { Hca } from '../hca.js'
import { PORT_ACTIVE } from '../port/port.js'
import { progress } from '../requester/progress.js'
import { quiesce } from './queue-pair-life.js'
import { drive, noticeDrained } from '../requester/requester.js'
import { changeMigrationState, indexOfLid, peerLid, planeOfLid } from './path-migration.js'
import { findTransition } from './transitions.js'
import type { QueuePairAttribute, QueuePairAttributes } from './transitions.js'
import { demand } from '../verbs-error.js'

/** What `modify` takes: a state to go to, or attributes to change in the present one, or both. */
export type QueuePairChange = Partial<QueuePairAttributes> & { state?: QueuePairState }

interface Field {
  /** Where it is stored; `currentState` is only compared. */
  readonly offset: number
  readonly valid: (value: number, hca: Hca) => boolean
  readonly store?: (value: number) => number
}

const within = (least: number, most: number) => (value: number) =>
  Number.isInteger(value) && value >= least && value <= most
const psn = (value: number): number => value & 0xffffff

/** Rights to operations whose answers a responder must keep. */
const COUNTED_RIGHTS = REMOTE_READ | REMOTE_ATOMIC | FLUSH_GLOBAL | FLUSH_PERSISTENT
const READS_MAX = 128
const MTUS = [256, 512, 1024, 2048, 4096]
const fields: Readonly<Record<Exclude<QueuePairAttribute, 'currentState'>, Field>> = {
  port: { offset: QP_PORT, valid: within(1, 1) },
  partitionKeyIndex: {
    offset: QP_PARTITION_KEY_INDEX,
    valid: (index, hca) =>
      within(0, HCA_PARTITION_KEY_COUNT - 1)(index) &&
      hca.i32[(hca.block + HCA_PARTITION_KEYS + index * 4) >>> 2] !== 0,
  },
  access: {
    offset: QP_ACCESS_GIVEN,
    valid: (access) => Number.isInteger(access) && (access & ~QUEUE_PAIR_ACCESS_ALL) === 0,
  },
  queueKey: { offset: QP_QUEUE_KEY, valid: within(0, 0xffffffff) },
  destinationLocalIdentifier: {
    offset: QP_PEER_INDEX,
    valid: within(1, 0xbfff),
    store: indexOfLid,
  },
  serviceLevel: { offset: QP_SERVICE_LEVEL, valid: within(0, 15) },
  pathMtuBytes: {
    offset: QP_PATH_MTU_BYTES,
    valid: (bytes, hca) =>
      MTUS.includes(bytes) && bytes <= hca.i32[(hca.block + HCA_PORT_MTU_BYTES) >>> 2]!,
  },
  destinationQueuePairNumber: { offset: QP_PEER_NUMBER, valid: within(2, 0xfffffe) },
  receivePacketSequenceNumber: { offset: QP_RECEIVE_PSN, valid: Number.isInteger, store: psn },
  sendPacketSequenceNumber: { offset: QP_SEND_PSN, valid: Number.isInteger, store: psn },
  responderReadsMax: { offset: QP_PEER_READS_MAX, valid: within(0, READS_MAX) },
  initiatorReadsMax: { offset: QP_READS_MAX, valid: within(0, READS_MAX) },
  receiverNotReadyTimer: { offset: QP_MIN_RNR_TIMER, valid: within(0, 31) },
  timeout: { offset: QP_TIMEOUT, valid: within(0, 31) },
  retryCount: { offset: QP_RETRY_COUNT, valid: within(0, 7) },
  receiverNotReadyRetryCount: { offset: QP_RNR_RETRY, valid: within(0, 7) },
  alternateLocalIdentifier: { offset: QP_ALTERNATE_LID, valid: within(0, 0xbfff) },
  pathMigrationState: { offset: QP_MIGRATION_STATE, valid: within(0, 2) },
  drainNotify: { offset: QP_DRAIN_NOTIFY, valid: within(0, 1) },
}

type StoredAttribute = keyof typeof fields
const attributeNames = Object.keys(fields) as StoredAttribute[]
const mayBeStated: readonly QueuePairState[] = [
  'readyToReceive',
  'readyToSend',
  'drained',
  'sendError',
]

/**
 * Changes state and attributes together, or nothing at all. The owner's thread.
 *
 * @throws {VerbsError} EINVAL: no such transition, an attribute missing, excess or out of range
 */
export function modifyQueuePair(hca: Hca, queuePair: number, change: QueuePairChange): void {
  const stateWord = (queuePair + QP_STATE) >>> 2
  const before = Atomics.load(hca.i32, stateWord) // the peer's thread may set ERROR at any time
  const from = queuePairStateName(before)
  const to = change.state ?? from
  checkChange(hca, serviceOf(hca.i32, queuePair), from, to, change)
  if (to === 'reset') return resetQueuePair(hca, queuePair)
  if (to === 'error') {
    enterError(hca, queuePair, FLUSHED, 0, CAUSE_MODIFIED)
    return progress(hca)
  }
  const migration = hca.i32[(queuePair + QP_MIGRATION_STATE) >>> 2]!
  storeAttributes(hca.i32, queuePair, change)
  const asked = change.pathMigrationState
  if (asked !== undefined) changeMigrationState(hca, queuePair, asked, migration)
  if (from === 'sendError') clearFirstError(hca.i32, queuePair)
  if (to === 'drained' && from !== 'drained') noteStarted(hca, queuePair, change)
  // Only from the state that was checked; an error found by the peer meanwhile stays.
  Atomics.compareExchange(hca.i32, stateWord, before, queuePairStateNames.indexOf(to))
  if (from === 'readyToReceive' && to === 'readyToSend') warnOfDisagreement(hca, queuePair)
  if (to === 'readyToReceive') wakeEarlySenders(hca, queuePair)
  if (to === 'drained') noticeDrained(hca, queuePair)
  drive(hca, queuePair) // what was posted while drained
}

/** Service of a queue pair. */
export function serviceOf(i32: Int32Array, queuePair: number): ServiceType {
  return serviceName(i32[(queuePair + QP_SERVICE) >>> 2]!)
}

/** On the way to SQD: what has been started runs to its end, what is posted later does not start. */
function noteStarted(hca: Hca, queuePair: number, change: QueuePairChange): void {
  const { i32 } = hca
  const parked = i32[(queuePair + QP_WAITING) >>> 2] === 1 ? 1 : 0
  const started = hca.packets?.started(queuePair) ?? sendsDone(i32, queuePair) + parked
  i32[(queuePair + QP_STARTED) >>> 2] = started
  i32[(queuePair + QP_DRAIN_NOTIFY) >>> 2] = change.drainNotify ?? 0
  Atomics.and(i32, (queuePair + QP_NOTICES) >>> 2, ~NOTICE_DRAINED) // peers set the other bits
}

function clearFirstError(i32: Int32Array, queuePair: number): void {
  for (const offset of [QP_ERROR_STATUS, QP_ERROR_REQUEST, QP_ERROR_CAUSE]) {
    i32[(queuePair + offset) >>> 2] = 0
  }
}

/** Attributes as they are now. */
export function queryAttributes(i32: Int32Array, queuePair: number): QueuePairAttributes {
  const values = attributeNames.map((name) => {
    const value = i32[(queuePair + fields[name].offset) >>> 2]!
    if (name === 'destinationLocalIdentifier') return [name, peerLid(i32, queuePair)] as const
    return [name, name === 'queueKey' ? value >>> 0 : value] as const
  })
  const currentState = queuePairStateName(Atomics.load(i32, (queuePair + QP_STATE) >>> 2)) // peers change it
  return { ...(Object.fromEntries(values) as Record<StoredAttribute, number>), currentState }
}

function checkChange(
  hca: Hca,
  service: ServiceType,
  from: QueuePairState,
  to: QueuePairState,
  change: QueuePairChange,
): void {
  const transition = findTransition(from, to, service)
  demand(transition !== undefined, `a queue pair cannot go from ${from} to ${to}`)
  for (const name of transition.required) {
    demand(change[name] !== undefined, `${from} to ${to} needs ${name}`)
  }
  const allowed = [...transition.required, ...transition.optional]
  const given = Object.keys(change).filter((name) => name !== 'state') as QueuePairAttribute[]
  for (const name of given) {
    demand(allowed.includes(name), `${from} to ${to} does not take ${name}`)
    if (name === 'currentState') checkStatedState(from, change.currentState)
    else demand(fields[name].valid(change[name]!, hca), `${name} cannot be ${change[name]}`)
  }
}

function checkStatedState(from: QueuePairState, stated: QueuePairState | undefined): void {
  demand(stated !== undefined && mayBeStated.includes(stated), `state ${stated} cannot be stated`)
  demand(stated === from, `the queue pair is in state ${from}, not ${stated}`)
}

function storeAttributes(i32: Int32Array, queuePair: number, change: QueuePairChange): void {
  for (const name of attributeNames) {
    const value = change[name]
    if (value === undefined) continue
    const { offset, store } = fields[name]
    i32[(queuePair + offset) >>> 2] = store === undefined ? value : store(value)
  }
  i32[(queuePair + QP_ACCESS) >>> 2] = usableAccess(i32, queuePair)
  const lid = change.destinationLocalIdentifier
  if (lid !== undefined) i32[(queuePair + QP_PLANE) >>> 2] = planeOfLid(lid)
  const redirected = change.destinationLocalIdentifier ?? change.destinationQueuePairNumber
  if (redirected === undefined) return
  i32[(queuePair + QP_PEER) >>> 2] = 0 // looked up again at the next request
  const block = i32[(queuePair + QP_HCA) >>> 2]! >>> 0
  const down = i32[(block + HCA_PORT_STATE) >>> 2] !== PORT_ACTIVE
  if (down) i32[(queuePair + QP_PEER_INDEX) >>> 2]! |= PORT_DOWN_MARK
}

/**
 * Rights that requests are checked against. A responder that takes no READ, atomic or FLUSH at a time
 * refuses the first as it would refuse the one too many: as an invalid request.
 */
function usableAccess(i32: Int32Array, queuePair: number): number {
  const given = i32[(queuePair + QP_ACCESS_GIVEN) >>> 2]!
  const readsMax = i32[(queuePair + QP_PEER_READS_MAX) >>> 2]!
  const state = i32[(queuePair + QP_STATE) >>> 2]!
  const counted = i32[(queuePair + QP_SERVICE) >>> 2] === RELIABLE_CONNECTED && state >= INIT
  return counted && readsMax === 0 ? given & ~COUNTED_RIGHTS : given
}

/** Requests and receives vanish without completions, unpolled completions as well. */
function resetQueuePair(hca: Hca, queuePair: number): void {
  const { i32 } = hca
  hca.packets?.abandon(queuePair)
  quiesce(hca, queuePair)
  scrubCompletions(hca, queuePair)
  if (i32[(queuePair + QP_SRQ) >>> 2] === 0) {
    const ring = i32[(queuePair + QP_RECEIVE_RING) >>> 2]! >>> 0
    while (takeReceive(i32, ring, hca.taken));
  }
  for (const offset of [
    QP_PEER,
    QP_PEER_NUMBER,
    QP_PLANE,
    QP_MIGRATION_STATE,
    QP_ERROR_STATUS,
    QP_ERROR_REQUEST,
    QP_ERROR_CAUSE,
    QP_NOTICES,
    QP_STARTED,
  ]) {
    i32[(queuePair + offset) >>> 2] = 0
  }
}
