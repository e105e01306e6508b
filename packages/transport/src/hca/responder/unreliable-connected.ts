import { peekReceive, takeReceive } from '../../ring/receive-queue.js'
import { REMOTE_WRITE } from '../../wire/access.js'
import {
  COMPLETION_WITH_IMMEDIATE,
  COMPLETION_WITH_INVALIDATE,
} from '../../wire/completion-queue.js'
import { LOCAL_PROTECTION_ERROR } from '../../wire/completion-status.js'
import { CAUSE_PEER_RECEIVE_MEMORY } from '../../wire/error-cause.js'
import { COMPLETED_RECEIVE, COMPLETED_RECEIVE_RDMA_WITH_IMMEDIATE } from '../../wire/opcode.js'
import { RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, SEND_WITH_IMMEDIATE } from '../../wire/opcode.js'
import { SEND_WITH_INVALIDATE } from '../../wire/opcode.js'
import { QP_HCA, QP_RECEIVE_RING } from '../../wire/queue-pair.js'
import { WQE_CONTROL, WQE_IMMEDIATE, WQE_MESSAGE_BYTES } from '../../wire/work-queue-entry.js'
import { enterHca, leaveHca } from '../memory/access-slot.js'
import { completeReceive, fail, solicitedFlag } from './deliver.js'
import { fillReceive } from './fill-receive.js'
import { findPeer } from '../queue-pair/find-peer.js'
import type { Hca } from '../hca.js'
import { gather } from '../memory/move-bytes.js'
import { checkRemoteRange, grants } from '../memory/remote-range.js'
import { isListening } from './listening.js'
import { invalidateKey } from '../memory/windows.js'

/**
 * The responder's half for unreliable connected queue pairs: what cannot be delivered is dropped
 * without a word, and a receive is taken only by a message that fits it (IBA vol. 1, 9.8: UC).
 * Such a queue pair has a receive queue of its own, and one sender: nobody else takes from it.
 */
export function carryUnreliably(hca: Hca, queuePair: number, entry: number): void {
  const peer = findPeer(hca.i32, queuePair)
  if (peer === 0) return
  enterHca(hca, hca.u32[(peer + QP_HCA) >>> 2]!)
  if (isListening(hca, queuePair, peer)) deliver(hca, peer, entry)
  leaveHca(hca)
}

function deliver(hca: Hca, peer: number, entry: number): void {
  const control = hca.u32[(entry + WQE_CONTROL) >>> 2]!
  const opcode = control & 0xff
  if (opcode === RDMA_WRITE || opcode === RDMA_WRITE_WITH_IMMEDIATE) {
    deliverWrite(hca, peer, entry, opcode === RDMA_WRITE_WITH_IMMEDIATE, solicitedFlag(control))
  } else {
    deliverSend(hca, peer, entry, opcode, solicitedFlag(control))
  }
}

function deliverSend(hca: Hca, peer: number, entry: number, opcode: number, flag: number): void {
  const { u32, taken } = hca
  const ring = u32[(peer + QP_RECEIVE_RING) >>> 2]!
  const bytes = u32[(entry + WQE_MESSAGE_BYTES) >>> 2]!
  if (!peekReceive(hca.i32, ring, taken) || bytes > taken[2]!) return
  if (!takeReceive(hca.i32, ring, taken)) return
  if (!fillReceive(hca, peer, ring, entry, bytes)) {
    hca.cause = CAUSE_PEER_RECEIVE_MEMORY
    fail(hca, peer, LOCAL_PROTECTION_ERROR, LOCAL_PROTECTION_ERROR)
    return
  }
  let flags = flag
  if (opcode === SEND_WITH_IMMEDIATE) flags |= COMPLETION_WITH_IMMEDIATE
  if (opcode === SEND_WITH_INVALIDATE) {
    const key = u32[(entry + WQE_IMMEDIATE) >>> 2]!
    invalidateKey(hca, u32[(peer + QP_HCA) >>> 2]!, peer, key)
    flags |= COMPLETION_WITH_INVALIDATE
  }
  completeReceive(hca, peer, COMPLETED_RECEIVE, flags, bytes, entry)
}

function deliverWrite(
  hca: Hca,
  peer: number,
  entry: number,
  withImmediate: boolean,
  flag: number,
): void {
  const { i32, u32, taken } = hca
  const ring = u32[(peer + QP_RECEIVE_RING) >>> 2]!
  const bytes = u32[(entry + WQE_MESSAGE_BYTES) >>> 2]!
  if (!grants(hca, peer, REMOTE_WRITE)) return
  if (withImmediate && !peekReceive(i32, ring, taken)) return
  if (bytes > 0) {
    const failed = checkRemoteRange(hca, peer, entry, bytes, REMOTE_WRITE)
    if (failed !== 0) return
    gather(hca, entry, 0, bytes, hca.translated)
  }
  if (!withImmediate || !takeReceive(i32, ring, taken)) return
  const opcode = COMPLETED_RECEIVE_RDMA_WITH_IMMEDIATE
  completeReceive(hca, peer, opcode, COMPLETION_WITH_IMMEDIATE | flag, bytes, entry)
}
