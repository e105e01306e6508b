import type { RequestDescription } from '../../fabric/fabric.js'
import type { FaultRule } from '../../fabric/faults/fault.js'
import { lock, unlock } from '../../ring/spin-lock.js'
import { pushCompletion } from '../../ring/completion-ring.js'
import { COMPLETION_SCRUBBED } from '../../wire/completion-queue.js'
import { BAD_RESPONSE, RNR_RETRY_EXCEEDED } from '../../wire/completion-status.js'
import { CAUSE_BAD_RESPONSE, CAUSE_NO_ANSWER, CAUSE_NO_RECEIVE } from '../../wire/error-cause.js'
import { HCA_LOCK, HCA_QUEUE_PAIR_HEAD } from '../../wire/hca-block.js'
import {
  PORT_DOWN_MARK,
  QP_MIN_RNR_TIMER,
  QP_NEXT,
  QP_NUMBER,
  QP_PEER_INDEX,
} from '../../wire/queue-pair.js'
import {
  QP_RECEIVE_CQ,
  QP_RETRY_COUNT,
  QP_RNR_RETRY,
  QP_SEND_CQ,
  QP_TIMEOUT,
} from '../../wire/queue-pair.js'
import { REGION_KEY } from '../../wire/region-entry.js'
import { WQE_CONTROL } from '../../wire/work-queue-entry.js'
import { peerLid } from '../queue-pair/path-migration.js'
import type { Hca } from '../hca.js'
import { hcaAddress, hcaCount } from '../hca-table.js'
import { changePortState, failDevice, PORT_ACTIVE, PORT_DOWN } from './port.js'
import { findRegion } from '../memory/region-table.js'
import { acknowledgeTimeoutNs, receiverNotReadyDelayNs } from './timers.js'

/** Has a fault of a plan happen to an HCA of the world. Any thread. */
export function suffer(hca: Hca, rule: FaultRule): void {
  if (!('hca' in rule) || rule.hca >= hcaCount(hca.i32)) return
  const block = hcaAddress(hca.i32, rule.hca)
  switch (rule.fault) {
    case 'portDown':
    case 'linkFlap':
      return changePortState(hca, block, PORT_DOWN)
    case 'portUp':
      return changePortState(hca, block, PORT_ACTIVE)
    case 'killed':
      return failDevice(hca, block)
    case 'completionQueueFull':
      return fillCompletionQueues(hca, block)
    case 'keyRevoked':
      return revokeKey(hca, block, rule.key ?? 0)
  }
}

/** Fills every completion queue that queue pairs of the HCA use, with entries that polling skips. */
function fillCompletionQueues(hca: Hca, block: number): void {
  const { i32, u32 } = hca
  lock(i32, block + HCA_LOCK)
  let queuePair = u32[(block + HCA_QUEUE_PAIR_HEAD) >>> 2]!
  for (; queuePair !== 0; queuePair = u32[(queuePair + QP_NEXT) >>> 2]!) {
    const number = i32[(queuePair + QP_NUMBER) >>> 2]!
    for (const word of [QP_SEND_CQ, QP_RECEIVE_CQ]) {
      const cq = u32[(queuePair + word) >>> 2]!
      while (pushCompletion(i32, cq, 0, COMPLETION_SCRUBBED << 16, 0, 0, 0, number, 0));
    }
  }
  unlock(i32, block + HCA_LOCK)
}

/** Makes a key invalid without its owner's doing; uses under way go on to their end. */
function revokeKey(hca: Hca, block: number, key: number): void {
  const region = findRegion(hca.i32, block, key)
  if (region === 0) return
  // Exchanged, so that a key the entry has by now stays.
  Atomics.compareExchange(hca.i32, (region + REGION_KEY) >>> 2, key | 0, 0)
}

/** What a fault plan is told of a request. */
export function describeRequest(hca: Hca, queuePair: number, entry: number): RequestDescription {
  const at = (word: number): number => hca.i32[(queuePair + word) >>> 2]!
  return {
    source: hca.index,
    destination: at(QP_PEER_INDEX) & ~PORT_DOWN_MARK,
    destinationLocalIdentifier: peerLid(hca.i32, queuePair),
    opcode: hca.i32[(entry + WQE_CONTROL) >>> 2]! & 0xff,
    queuePairNumber: at(QP_NUMBER),
    retries: at(QP_RETRY_COUNT),
    receiverNotReadyRetries: at(QP_RNR_RETRY),
    timeoutNs: acknowledgeTimeoutNs(at(QP_TIMEOUT)),
    // The peer's timer is not known here; both ends are usually set alike.
    receiverNotReadyNs: receiverNotReadyDelayNs(at(QP_MIN_RNR_TIMER)),
  }
}

const givenUp: Readonly<Record<number, number>> = {
  [RNR_RETRY_EXCEEDED]: CAUSE_NO_RECEIVE,
  [BAD_RESPONSE]: CAUSE_BAD_RESPONSE,
}

/** Notes why a request was given up; its status. */
export function giveUp(hca: Hca, status: number): number {
  hca.cause = givenUp[status] ?? CAUSE_NO_ANSWER
  return status
}
