import type { Hca } from '../hca.js'
import { demandUnused } from '../verbs-error.js'

/** Counts events about the object at `address` that its user has taken (1) or acknowledged (-1). */
export function countUnacknowledged(hca: Hca, address: number, change: number): void {
  const count = (hca.unacknowledged.get(address) ?? 0) + change
  if (count > 0) hca.unacknowledged.set(address, count)
  else hca.unacknowledged.delete(address)
}

/**
 * Where the verbs would block until all events about an object are acknowledged
 * (ibv_ack_async_event.3), which one thread would do for ever, this throws.
 *
 * @throws {VerbsError} EBUSY
 */
export function demandAcknowledged(hca: Hca, address: number): void {
  demandUnused(hca.unacknowledged.get(address) ?? 0, 'the object', 'events not acknowledged')
}
