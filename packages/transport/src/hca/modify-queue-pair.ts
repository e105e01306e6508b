import { takeReceive } from '../ring/receive-queue.js'
import { FLUSHED } from '../wire/completion-status.js'
import { CAUSE_MODIFIED } from '../wire/error-cause.js'
import { QP_ACCESS, QP_ERROR_CAUSE, QP_ERROR_REQUEST, QP_ERROR_STATUS } from '../wire/queue-pair.js'
import { QP_MIN_RNR_TIMER, QP_PARTITION_KEY_INDEX, QP_PATH_MTU_BYTES } from '../wire/queue-pair.js'
import { QP_PEER, QP_PEER_INDEX, QP_PEER_NUMBER, QP_PEER_READS_MAX } from '../wire/queue-pair.js'
import { QP_PORT, QP_READS_MAX, QP_RECEIVE_PSN, QP_RECEIVE_RING } from '../wire/queue-pair.js'
import { QP_RETRY_COUNT, QP_RNR_RETRY, QP_SEND_PSN, QP_SRQ, QP_STATE } from '../wire/queue-pair.js'
import { QP_TIMEOUT } from '../wire/queue-pair.js'
import { queuePairStateName, queuePairStateNames } from '../wire/queue-pair-state.js'
import type { QueuePairState } from '../wire/queue-pair-state.js'
import { scrubCompletions } from './completion-queue-life.js'
import { enterError } from './error-state.js'
import type { Hca } from './hca.js'
import { progress } from './progress.js'
import { quiesce } from './queue-pair-life.js'
import { drive } from './requester.js'
import { findTransition } from './transitions.js'
import type { QueuePairAttribute, QueuePairAttributes } from './transitions.js'
import { demand } from './verbs-error.js'

/** What `modify` takes: a state to go to, or attributes to change in the present one, or both. */
export type QueuePairChange = Partial<QueuePairAttributes> & { state?: QueuePairState }

interface Field {
  /** Where it is stored; `currentState` is only compared. */
  readonly offset?: number
  readonly valid: (value: number) => boolean
  readonly store?: (value: number) => number
}

const within = (least: number, most: number) => (value: number) =>
  Number.isInteger(value) && value >= least && value <= most
const psn = (value: number): number => value & 0xffffff

const READS_MAX = 128
const fields: Readonly<Record<Exclude<QueuePairAttribute, 'currentState'>, Field>> = {
  port: { offset: QP_PORT, valid: within(1, 1) },
  partitionKeyIndex: { offset: QP_PARTITION_KEY_INDEX, valid: within(0, 0) },
  access: { offset: QP_ACCESS, valid: within(0, 15) },
  destinationLocalIdentifier: {
    offset: QP_PEER_INDEX,
    valid: within(1, 0xbfff),
    store: (identifier) => identifier - 1,
  },
  pathMtuBytes: {
    offset: QP_PATH_MTU_BYTES,
    valid: (bytes) => [256, 512, 1024, 2048, 4096].includes(bytes),
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
  checkChange(from, to, change)
  if (to === 'reset') return resetQueuePair(hca, queuePair)
  if (to === 'error') {
    enterError(hca, queuePair, FLUSHED, 0, CAUSE_MODIFIED)
    return progress(hca)
  }
  storeAttributes(hca.i32, queuePair, change)
  // Only from the state that was checked; an error found by the peer meanwhile stays.
  Atomics.compareExchange(hca.i32, stateWord, before, queuePairStateNames.indexOf(to))
  drive(hca, queuePair) // what was posted while drained
}

/** Attributes as they are now. */
export function queryAttributes(i32: Int32Array, queuePair: number): QueuePairAttributes {
  const values = attributeNames.map((name) => {
    const value = i32[(queuePair + fields[name].offset!) >>> 2]!
    return [name, name === 'destinationLocalIdentifier' ? value + 1 : value] as const
  })
  const currentState = queuePairStateName(Atomics.load(i32, (queuePair + QP_STATE) >>> 2)) // peers change it
  return { ...(Object.fromEntries(values) as Record<StoredAttribute, number>), currentState }
}

function checkChange(from: QueuePairState, to: QueuePairState, change: QueuePairChange): void {
  const transition = findTransition(from, to)
  demand(transition !== undefined, `a queue pair cannot go from ${from} to ${to}`)
  for (const name of transition.required) {
    demand(change[name] !== undefined, `${from} to ${to} needs ${name}`)
  }
  const allowed = [...transition.required, ...transition.optional]
  const given = Object.keys(change).filter((name) => name !== 'state') as QueuePairAttribute[]
  for (const name of given) {
    demand(allowed.includes(name), `${from} to ${to} does not take ${name}`)
    if (name === 'currentState') checkStatedState(from, change.currentState)
    else demand(fields[name].valid(change[name]!), `${name} cannot be ${change[name]}`)
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
    i32[(queuePair + offset!) >>> 2] = store === undefined ? value : store(value)
  }
  const redirected = change.destinationLocalIdentifier ?? change.destinationQueuePairNumber
  if (redirected !== undefined) i32[(queuePair + QP_PEER) >>> 2] = 0 // looked up again at the next request
}

/** Requests and receives vanish without completions, unpolled completions as well. */
function resetQueuePair(hca: Hca, queuePair: number): void {
  const { i32 } = hca
  quiesce(hca, queuePair)
  scrubCompletions(hca, queuePair)
  if (i32[(queuePair + QP_SRQ) >>> 2] === 0) {
    const ring = i32[(queuePair + QP_RECEIVE_RING) >>> 2]! >>> 0
    while (takeReceive(i32, ring, hca.taken));
  }
  for (const offset of [
    QP_PEER,
    QP_PEER_NUMBER,
    QP_ERROR_STATUS,
    QP_ERROR_REQUEST,
    QP_ERROR_CAUSE,
  ]) {
    i32[(queuePair + offset) >>> 2] = 0
  }
}
