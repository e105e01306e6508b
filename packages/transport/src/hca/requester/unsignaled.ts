import { sendEntryAt, sendsPosted } from '../../ring/work-queue.js'
import { NOTICE_UNSIGNALED, QP_NOTICES, QP_NUMBER } from '../../wire/queue-pair.js'
import { QP_SEND_RETIRED, QP_SIGNAL_ALL } from '../../wire/queue-pair.js'
import { SIGNALED, WQE_CONTROL } from '../../wire/work-queue-entry.js'
import type { Hca } from '../hca.js'

/**
 * Warns, once, of a full send queue in which no request asks for a completion: entries are free again
 * when a completion at or behind them is polled, so it stays full for good. The owner.
 */
export function warnOfUnsignaled(hca: Hca, queuePair: number): void {
  const { i32 } = hca
  if (i32[(queuePair + QP_SIGNAL_ALL) >>> 2] !== 0) return
  const posted = sendsPosted(i32, queuePair)
  let place = i32[(queuePair + QP_SEND_RETIRED) >>> 2]!
  for (; place !== posted; place = (place + 1) | 0) {
    const control = i32[(sendEntryAt(i32, queuePair, place) + WQE_CONTROL) >>> 2]!
    if ((control & (SIGNALED << 8)) !== 0) return
  }
  // Peers set the other bits.
  if (
    (Atomics.or(i32, (queuePair + QP_NOTICES) >>> 2, NOTICE_UNSIGNALED) & NOTICE_UNSIGNALED) !==
    0
  )
    return
  const number = i32[(queuePair + QP_NUMBER) >>> 2]!.toString(16)
  hca.warn?.(
    `the send queue of queue pair 0x${number} is full of requests without a completion: ` +
      'nothing frees its entries',
  )
}
