import { hasSendWork } from '../../ring/work-queue.js'
import { LOCAL_WRITE, REMOTE_READ } from '../../wire/access.js'
import { QP_ACCESS, QP_DOMAIN, QP_HCA, QP_PEER, QP_STATE } from '../../wire/queue-pair.js'
import { READY_TO_SEND } from '../../wire/queue-pair-state.js'
import { enterHca, leaveHca } from '../memory/access-slot.js'
import type { Hca } from '../hca.js'
import { isListening } from '../responder/listening.js'
import { checkRegion, findOwnRegion, findValidRegion } from '../memory/region-table.js'

/**
 * An RDMA READ of one segment that is done when the call returns: what posting it would come to
 * where nothing is outstanding before it and the fabric carries requests out at once, without the
 * queue entry and the completion. All checks are made.
 *
 * @returns whether it was carried out; otherwise nothing has happened, and posting it says why
 */
export function readAtOnce(
  hca: Hca,
  queuePair: number,
  address: number,
  bytes: number,
  localKey: number,
  remoteAddress: number,
  remoteKey: number,
): boolean {
  const { i32, u32 } = hca
  if (!hca.fabric.mapsMemory || hasSendWork(i32, queuePair)) return false
  if (i32[(queuePair + QP_STATE) >>> 2] !== READY_TO_SEND) return false
  const own = findOwnRegion(i32, hca.block, localKey)
  const domain = u32[(queuePair + QP_DOMAIN) >>> 2]!
  if (checkRegion(hca, own, domain, address, bytes, LOCAL_WRITE) !== 0) return false
  const peer = u32[(queuePair + QP_PEER) >>> 2]!
  if (peer === 0) return false
  const block = u32[(peer + QP_HCA) >>> 2]!
  enterHca(hca, block)
  const granted =
    isListening(hca, queuePair, peer) &&
    (i32[(peer + QP_ACCESS) >>> 2]! & REMOTE_READ) !== 0 &&
    checkRegion(
      hca,
      findValidRegion(i32, block, remoteKey),
      u32[(peer + QP_DOMAIN) >>> 2]!,
      remoteAddress,
      bytes,
      REMOTE_READ,
    ) === 0
  if (granted) hca.kernels.copy(address, remoteAddress, bytes)
  leaveHca(hca)
  return granted
}
