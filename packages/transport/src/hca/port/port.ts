import {
  EVENT_DEVICE_FATAL,
  EVENT_PORT_ACTIVE,
  EVENT_PORT_ERROR,
} from '../../wire/asynchronous-event.js'
import { HCA_FAILED, HCA_INDEX, HCA_LOCK, HCA_PARTITION_KEYS } from '../../wire/hca-block.js'
import { HCA_PARTITION_KEY_COUNT, HCA_PORT_LID, HCA_PORT_MTU_BYTES } from '../../wire/hca-block.js'
import { HCA_PORT_STATE, HCA_QUEUE_PAIR_HEAD } from '../../wire/hca-block.js'
import { PORT_DOWN_MARK, QP_NEXT, QP_PEER, QP_PEER_INDEX } from '../../wire/queue-pair.js'
import { lock, unlock } from '../../ring/spin-lock.js'
import { raiseEvent } from './events.js'
import type { Hca } from '../hca.js'
import { stopWaiting } from '../requester/receiver-not-ready.js'

/** Port states, numbered as `ibv_port_state`. */
export const PORT_DOWN = 1
export const PORT_INIT = 2
export const PORT_ARMED = 3
export const PORT_ACTIVE = 4

/** The one port of an HCA. */
export const PORT_NUMBER = 1
/** Member of the default partition, with full rights. */
export const DEFAULT_PARTITION_KEY = 0xffff
const MTU_BYTES_MAX = 4096

/** Sets up the port when a device is opened, as the subnet manager would. */
export function openPort(i32: Int32Array, block: number): void {
  i32[(block + HCA_PORT_LID) >>> 2] = i32[(block + HCA_INDEX) >>> 2]! + 1
  i32[(block + HCA_PORT_MTU_BYTES) >>> 2] = MTU_BYTES_MAX
  i32[(block + HCA_PARTITION_KEYS) >>> 2] = DEFAULT_PARTITION_KEY
  for (let index = 1; index < HCA_PARTITION_KEY_COUNT; index++) {
    i32[(block + HCA_PARTITION_KEYS + index * 4) >>> 2] = 0
  }
  i32[(block + HCA_FAILED) >>> 2] = 0
  Atomics.store(i32, (block + HCA_PORT_STATE) >>> 2, PORT_ACTIVE) // last: peers may find it now
}

/** Whether data pass through the port of the HCA at `block`; not before it was opened. */
export function isPortActive(i32: Int32Array, block: number): boolean {
  return Atomics.load(i32, (block + HCA_PORT_STATE) >>> 2) === PORT_ACTIVE // set by any thread
}

/**
 * Changes the state of a port: any thread, since cables are pulled from outside. Queue pairs keep
 * their states. A mark on each of them makes messages of its peer fail the check that every message
 * makes anyway, so that a port that is up costs nothing; requests of the port's own queue pairs find
 * out when their owner hears of the event.
 */
export function changePortState(hca: Hca, block: number, state: number): void {
  const { i32 } = hca
  // Exchanged, so that one of two threads raises the event.
  const before = Atomics.exchange(i32, (block + HCA_PORT_STATE) >>> 2, state)
  if (before === state) return
  markQueuePairs(i32, block, state !== PORT_ACTIVE)
  if (block === hca.block) forgetPeers(hca)
  if ((before === PORT_ACTIVE) === (state === PORT_ACTIVE)) return
  const event = state === PORT_ACTIVE ? EVENT_PORT_ACTIVE : EVENT_PORT_ERROR
  raiseEvent(hca, block, { event, subject: PORT_NUMBER, number: 0 })
}

/** The HCA at `block` fails as a whole: all its objects are lost, peers find it unreachable. */
export function failDevice(hca: Hca, block: number): void {
  const { i32 } = hca
  // Exchanged, so that it fails once.
  if (Atomics.exchange(i32, (block + HCA_FAILED) >>> 2, 1) !== 0) return
  Atomics.store(i32, (block + HCA_PORT_STATE) >>> 2, PORT_DOWN) // looked at by who connects
  markQueuePairs(i32, block, true)
  raiseEvent(hca, block, { event: EVENT_DEVICE_FATAL, subject: 0, number: 0 })
}

function markQueuePairs(i32: Int32Array, block: number, down: boolean): void {
  lock(i32, block + HCA_LOCK)
  let queuePair = i32[(block + HCA_QUEUE_PAIR_HEAD) >>> 2]! >>> 0
  for (; queuePair !== 0; queuePair = i32[(queuePair + QP_NEXT) >>> 2]! >>> 0) {
    const word = (queuePair + QP_PEER_INDEX) >>> 2
    // Atomically: the owner may be changing the queue pair's attributes.
    if (down) Atomics.or(i32, word, PORT_DOWN_MARK)
    else Atomics.and(i32, word, ~PORT_DOWN_MARK) // the same
  }
  unlock(i32, block + HCA_LOCK)
}

/** Has each own queue pair look for its peer anew with its next request. The owner. */
export function forgetPeers(hca: Hca): void {
  const { i32, u32, block } = hca
  let queuePair = u32[(block + HCA_QUEUE_PAIR_HEAD) >>> 2]!
  for (; queuePair !== 0; queuePair = u32[(queuePair + QP_NEXT) >>> 2]!) {
    stopWaiting(hca, queuePair)
    i32[(queuePair + QP_PEER) >>> 2] = 0
  }
}
