import {
  LOCAL_LENGTH_ERROR,
  LOCAL_QP_OPERATION_ERROR,
  SUCCESS,
} from '../../wire/completion-status.js'
import { WINDOW_BIND_ERROR } from '../../wire/completion-status.js'
import { CAUSE_BIND_REFUSED, CAUSE_INVALIDATE_REFUSED } from '../../wire/error-cause.js'
import { CAUSE_MESSAGE_BEYOND_LIMIT } from '../../wire/error-cause.js'
import { BIND_WINDOW, LOCAL_INVALIDATE } from '../../wire/opcode.js'
import { BIND_ACCESS, BIND_REGION_ENTRY, BIND_WINDOW_ENTRY } from '../../wire/work-queue-entry.js'
import { WQE_CONTROL, WQE_MESSAGE_BYTES, WQE_REMOTE_ADDRESS } from '../../wire/work-queue-entry.js'
import { WQE_REMOTE_KEY } from '../../wire/work-queue-entry.js'
import { awaitVisitors } from '../memory/access-slot.js'
import type { Hca } from '../hca.js'
import { bindWindow, invalidateKey } from '../memory/windows.js'

/**
 * Carries out a request that the HCA does by itself, without its peer: binding a window, making a
 * key invalid; and those whose length alone makes them fail. The owner.
 *
 * @returns a completion status
 */
export function carryLocally(hca: Hca, queuePair: number, entry: number): number {
  const { u32 } = hca
  const opcode = u32[(entry + WQE_CONTROL) >>> 2]! & 0xff
  const key = u32[(entry + WQE_REMOTE_KEY) >>> 2]!
  if (opcode === LOCAL_INVALIDATE) {
    if (invalidateKey(hca, hca.block, queuePair, key)) {
      awaitVisitors(hca) // the peer's thread may be using it
      return SUCCESS
    }
    hca.cause = CAUSE_INVALIDATE_REFUSED
    return LOCAL_QP_OPERATION_ERROR
  }
  if (opcode !== BIND_WINDOW) {
    hca.cause = CAUSE_MESSAGE_BEYOND_LIMIT
    return LOCAL_LENGTH_ERROR
  }
  const bound = bindWindow(hca, queuePair, {
    window: u32[(entry + BIND_WINDOW_ENTRY) >>> 2]!,
    region: u32[(entry + BIND_REGION_ENTRY) >>> 2]!,
    address: u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!,
    bytes: u32[(entry + WQE_MESSAGE_BYTES) >>> 2]!,
    access: u32[(entry + BIND_ACCESS) >>> 2]!,
    key,
  })
  if (bound) return SUCCESS
  hca.cause = CAUSE_BIND_REFUSED
  return WINDOW_BIND_ERROR
}
