import { describe, expect, test } from 'vitest'

import * as addressHandle from '../../src/wire/address-handle.js'
import * as completionQueue from '../../src/wire/completion-queue.js'
import * as hcaBlock from '../../src/wire/hca-block.js'
import * as managementMessage from '../../src/wire/management-message.js'
import * as attachment from '../../src/wire/multicast-attachment.js'
import * as protectionDomain from '../../src/wire/protection-domain.js'
import * as queuePair from '../../src/wire/queue-pair.js'
import * as receiveRing from '../../src/wire/receive-ring.js'
import * as regionEntry from '../../src/wire/region-entry.js'
import * as workQueueEntry from '../../src/wire/work-queue-entry.js'

interface Layout {
  name: string
  exports: Record<string, unknown>
  /** Names of the fields begin like this ... */
  prefix: string
  /** ... but these begin another structure's, or are no offsets. */
  except?: RegExp
  bytes: number
  /** Offsets, in ascending order: frozen. */
  offsets: number[]
  /** Fields longer than a word. */
  long?: Record<string, number>
}

const layouts: Layout[] = [
  {
    name: 'HCA block',
    exports: hcaBlock,
    prefix: 'HCA_',
    except: /^HCA_(BYTES|REGION_CHUNK_COUNT|PARTITION_KEY_COUNT)$/,
    bytes: hcaBlock.HCA_BYTES,
    offsets: [
      0, 64, 128, 132, 136, 140, 144, 192, 196, 200, 204, 208, 212, 216, 256, 260, 264, 268, 272,
      276, 280, 284, 288, 320, 384, 388, 392, 396, 400, 404, 408, 412, 416, 448, 452, 456, 460, 464,
      468, 472, 504,
    ],
    long: {
      HCA_DOORBELL: 64,
      HCA_REGION_CHUNKS: 4 * hcaBlock.HCA_REGION_CHUNK_COUNT,
      HCA_PARTITION_KEYS: 4 * hcaBlock.HCA_PARTITION_KEY_COUNT,
    },
  },
  {
    name: 'queue pair',
    exports: queuePair,
    prefix: 'QP_',
    except: /^QP_BYTES$/,
    bytes: queuePair.QP_BYTES,
    offsets: [
      0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92,
      96, 100, 128, 132, 136, 140, 144, 148, 152, 156, 160, 164, 168, 172, 176, 192, 196, 200, 204,
      208, 212, 216, 220, 224, 228, 232, 236, 240, 244, 248, 252,
    ],
  },
  {
    name: 'send queue entry',
    exports: workQueueEntry,
    prefix: 'WQE_',
    except: /^WQE_BYTES_MIN$/,
    bytes: workQueueEntry.WQE_BYTES_MIN,
    offsets: [0, 4, 8, 12, 16, 20, 24, 28, 32],
    long: { WQE_SEGMENTS: 32 },
  },
  {
    name: 'segment',
    exports: workQueueEntry,
    prefix: 'SEGMENT_',
    except: /^SEGMENT_BYTES$/,
    bytes: workQueueEntry.SEGMENT_BYTES,
    offsets: [0, 4, 8],
  },
  {
    name: 'receive ring',
    exports: receiveRing,
    prefix: 'RECEIVE_',
    except: /^RECEIVE_(RING_BYTES|REQUEST_ID|SEGMENT_COUNT|ROOM_BYTES|SEGMENTS)$/,
    bytes: receiveRing.RECEIVE_RING_BYTES,
    offsets: [0, 4, 8, 12, 16, 20, 64, 68, 128, 192, 196, 200],
  },
  {
    name: 'receive entry',
    exports: receiveRing,
    prefix: 'RECEIVE_',
    except: /^(?!RECEIVE_(REQUEST_ID|SEGMENT_COUNT|ROOM_BYTES|SEGMENTS)$)/,
    bytes: 32,
    offsets: [0, 4, 8, 16],
    long: { RECEIVE_SEGMENTS: 16 },
  },
  {
    name: 'completion queue',
    exports: completionQueue,
    prefix: 'CQ_',
    except: /^CQ_BYTES$/,
    bytes: completionQueue.CQ_BYTES,
    offsets: [0, 4, 8, 12, 64, 128, 132],
  },
  {
    name: 'completion queue entry',
    exports: completionQueue,
    prefix: 'CQE_',
    except: /^CQE_BYTES$/,
    bytes: completionQueue.CQE_BYTES,
    offsets: [0, 4, 8, 12, 16, 20, 24, 28],
  },
  {
    name: 'region entry',
    exports: regionEntry,
    prefix: 'REGION_',
    except: /^REGION_(BYTES|FIRST_CHUNK_ENTRIES)$/,
    bytes: regionEntry.REGION_BYTES,
    offsets: [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44],
  },
  {
    name: 'protection domain',
    exports: protectionDomain,
    prefix: 'DOMAIN_',
    except: /^DOMAIN_BYTES$/,
    bytes: protectionDomain.DOMAIN_BYTES,
    offsets: [0, 4],
  },
  {
    name: 'address handle',
    exports: addressHandle,
    prefix: 'AH_',
    except: /^AH_BYTES$/,
    bytes: addressHandle.AH_BYTES,
    offsets: [0, 4, 8, 12, 16, 32, 36],
    long: { AH_GID: 16 },
  },
  {
    name: 'multicast attachment',
    exports: attachment,
    prefix: 'ATTACHMENT_',
    except: /^ATTACHMENT_BYTES$/,
    bytes: attachment.ATTACHMENT_BYTES,
    offsets: [0, 4, 8, 12, 16],
    long: { ATTACHMENT_GID: 16 },
  },
  {
    name: 'management message',
    exports: managementMessage,
    prefix: 'MESSAGE_',
    except: /^MESSAGE_(BYTES|FIELD_COUNT)$/,
    bytes: managementMessage.MESSAGE_BYTES,
    offsets: [0, 4, 8, 12, 60],
    long: { MESSAGE_FIELDS: 4 * managementMessage.MESSAGE_FIELD_COUNT },
  },
]

function fields({ exports, prefix, except }: Layout): [string, number][] {
  return Object.entries(exports)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number')
    .filter(([name]) => name.startsWith(prefix) && !except?.test(name))
    .sort(([, left], [, right]) => left - right)
}

describe('layout', () => {
  test.each(layouts)('$name keeps its offsets', (layout) => {
    expect(fields(layout).map(([, offset]) => offset)).toEqual(layout.offsets)
  })

  test.each(layouts)('$name has words that do not overlap and fit', (layout) => {
    let end = 0
    for (const [name, offset] of fields(layout)) {
      expect(offset % 4, name).toBe(0)
      expect(offset, name).toBeGreaterThanOrEqual(end)
      end = offset + (layout.long?.[name] ?? 4)
    }
    expect(end).toBeLessThanOrEqual(layout.bytes)
  })

  test('structures keep their lengths', () => {
    expect(layouts.map(({ bytes }) => bytes)).toEqual([
      512, 256, 64, 16, 256, 32, 192, 32, 64, 64, 64, 32, 64,
    ])
  })

  test('words that different threads write lie in different lines', () => {
    const line = (offset: number): number => Math.floor(offset / 64)
    const { RECEIVE_POSTED, RECEIVE_TAKEN, RECEIVE_WAIT_LOCK } = receiveRing
    const { CQ_CLAIMED, CQ_POLLED } = completionQueue
    expect(new Set([RECEIVE_POSTED, RECEIVE_TAKEN, RECEIVE_WAIT_LOCK].map(line)).size).toBe(3)
    expect(new Set([0, CQ_CLAIMED, CQ_POLLED, completionQueue.CQ_BYTES].map(line)).size).toBe(4)
    const { HCA_DOORBELL, HCA_SLOT, HCA_LOCK, HCA_INDEX } = hcaBlock
    expect(new Set([HCA_DOORBELL, HCA_SLOT, HCA_LOCK, HCA_INDEX].map(line)).size).toBe(4)
  })
})

describe('workQueueEntryShift', () => {
  test.each([
    [1, 0, 64],
    [2, 32, 64],
    [3, 0, 128],
    [2, 96, 128],
    [2, 97, 256],
    [16, 480, 512],
  ])('%i segments and %i inline bytes give entries of %i bytes', (segments, inline, bytes) => {
    expect(2 ** workQueueEntry.workQueueEntryShift(segments, inline)).toBe(bytes)
  })
})

describe('nextVariant', () => {
  test('changes the low eight bits only, and comes round', () => {
    expect(regionEntry.nextVariant(0x1234_01)).toBe(0x1234_02)
    expect(regionEntry.nextVariant(0xffff_ffff)).toBe(0xffff_ff00)
    expect(regionEntry.regionIndex(0xffff_ff07)).toBe(0xffffff)
  })
})
