import { QP_DOMAIN } from '../../wire/queue-pair.js'
import {
  KIND_REGION,
  KIND_WINDOW_2,
  REGION_ACCESS,
  REGION_ADDRESS,
} from '../../wire/region-entry.js'
import { REGION_DOMAIN, REGION_KIND, REGION_LENGTH } from '../../wire/region-entry.js'
import { REGION_TRANSLATED_LENGTH, REGION_TRANSLATION } from '../../wire/region-entry.js'
import type { Hca } from '../hca.js'

/**
 * The second look at a range that failed the short check (`checkRegion`): of a region or a window whose
 * addresses are not the memory's, or of a window that is bound to the queue pair itself. The first
 * look costs every message; this one only those that need it.
 *
 * @returns 0 with the memory address in `hca.translated`, or which check failed
 */
export function lookCloser(
  hca: Hca,
  region: number,
  failed: number,
  queuePair: number,
  address: number,
  bytes: number,
  right: number,
): number {
  if (region === 0) return failed
  const { i32, u32 } = hca
  const window = i32[(region + REGION_KIND) >>> 2] === KIND_WINDOW_2
  const translated = u32[(region + REGION_TRANSLATED_LENGTH) >>> 2]! !== 0
  const plain = i32[(region + REGION_KIND) >>> 2] === KIND_REGION && !translated
  if (plain) return failed
  const first = u32[(region + REGION_ADDRESS) >>> 2]!
  const length = u32[(region + (translated ? REGION_TRANSLATED_LENGTH : REGION_LENGTH)) >>> 2]!
  if (address < first || bytes > length || address - first > length - bytes) return 2
  const owner = window ? queuePair : u32[(queuePair + QP_DOMAIN) >>> 2]!
  if (u32[(region + REGION_DOMAIN) >>> 2] !== owner) return 3
  if ((i32[(region + REGION_ACCESS) >>> 2]! & right) !== right) return 4
  hca.translated = (address + u32[(region + REGION_TRANSLATION) >>> 2]!) >>> 0
  return 0
}
