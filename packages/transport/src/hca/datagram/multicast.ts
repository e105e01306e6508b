import type { Heap } from '../../memory/heap.js'
import { lock, unlock } from '../../ring/spin-lock.js'
import { AH_GID, GID_BYTES } from '../../wire/address-handle.js'
import {
  ATTACHMENT_BYTES,
  ATTACHMENT_GID,
  ATTACHMENT_LID,
} from '../../wire/multicast-attachment.js'
import {
  ATTACHMENT_NEXT,
  ATTACHMENT_NUMBER,
  ATTACHMENT_QP,
} from '../../wire/multicast-attachment.js'
import { QP_GROUPS, QP_NUMBER } from '../../wire/queue-pair.js'
import { MULTICAST_HEAD_WORD, MULTICAST_LOCK_WORD } from '../../wire/world-header.js'

/** A queue pair in a group. */
export interface GroupMember {
  readonly member: number
  readonly number: number
}

/** Attaches a queue pair to a group; twice is once (ibv_attach_mcast.3). The owner. */
export function attach(
  i32: Int32Array,
  heap: Heap,
  queuePair: number,
  gid: Uint8Array,
  localIdentifier: number,
): void {
  const fresh = heap.allocate(ATTACHMENT_BYTES)
  lock(i32, MULTICAST_LOCK_WORD)
  const known = findLink(i32, queuePair, gid, localIdentifier) !== 0
  if (!known) {
    i32[(fresh + ATTACHMENT_NEXT) >>> 2] = i32[MULTICAST_HEAD_WORD >> 2]!
    i32[(fresh + ATTACHMENT_QP) >>> 2] = queuePair
    i32[(fresh + ATTACHMENT_NUMBER) >>> 2] = i32[(queuePair + QP_NUMBER) >>> 2]!
    i32[(fresh + ATTACHMENT_LID) >>> 2] = localIdentifier
    new Uint8Array(i32.buffer, fresh + ATTACHMENT_GID, GID_BYTES).set(gid)
    i32[MULTICAST_HEAD_WORD >> 2] = fresh
    i32[(queuePair + QP_GROUPS) >>> 2]! += 1
  }
  unlock(i32, MULTICAST_LOCK_WORD)
  if (known) heap.free(fresh)
}

/** Detaches a queue pair from a group; whether it was in it. The owner. */
export function detach(
  i32: Int32Array,
  heap: Heap,
  queuePair: number,
  gid: Uint8Array,
  localIdentifier: number,
): boolean {
  lock(i32, MULTICAST_LOCK_WORD)
  const link = findLink(i32, queuePair, gid, localIdentifier)
  const gone = link === 0 ? 0 : i32[link >>> 2]! >>> 0
  if (gone !== 0) {
    i32[link >>> 2] = i32[(gone + ATTACHMENT_NEXT) >>> 2]!
    i32[(queuePair + QP_GROUPS) >>> 2]! -= 1
  }
  unlock(i32, MULTICAST_LOCK_WORD)
  if (gone !== 0) heap.free(gone)
  return gone !== 0
}

/** Address of the word that links to an attachment, 0 when there is none. The lock is held. */
function findLink(
  i32: Int32Array,
  queuePair: number,
  gid: Uint8Array,
  localIdentifier: number,
): number {
  let link = MULTICAST_HEAD_WORD
  for (;;) {
    const here = i32[link >>> 2]! >>> 0
    if (here === 0) return 0
    const same =
      i32[(here + ATTACHMENT_QP) >>> 2]! >>> 0 === queuePair &&
      i32[(here + ATTACHMENT_LID) >>> 2] === localIdentifier &&
      isGid(i32, here + ATTACHMENT_GID, gid)
    if (same) return link
    link = here + ATTACHMENT_NEXT
  }
}

/** Members of the group that an address handle names by its GID, as they are now. */
export function groupMembers(i32: Int32Array, handle: number): GroupMember[] {
  const gid = new Uint8Array(i32.buffer, handle + AH_GID, GID_BYTES)
  const members: GroupMember[] = []
  lock(i32, MULTICAST_LOCK_WORD)
  let here = i32[MULTICAST_HEAD_WORD >> 2]! >>> 0
  for (; here !== 0; here = i32[(here + ATTACHMENT_NEXT) >>> 2]! >>> 0) {
    if (!isGid(i32, here + ATTACHMENT_GID, gid)) continue
    const member = i32[(here + ATTACHMENT_QP) >>> 2]! >>> 0
    members.push({ member, number: i32[(here + ATTACHMENT_NUMBER) >>> 2]! })
  }
  unlock(i32, MULTICAST_LOCK_WORD)
  return members.reverse() // first attached first
}

function isGid(i32: Int32Array, address: number, gid: Uint8Array): boolean {
  const other = new Uint8Array(i32.buffer, address, GID_BYTES)
  return gid.every((byte, place) => byte === other[place])
}
