import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { capture } from '../../src/capture/capture.js'
import { PacketFabric } from '../../src/fabric/packets/packet-fabric.js'
import { link, remote } from '../verbs/packet-pair.js'
import { dissectFile } from './dissect.js'
import { complaints, hasTshark } from './tshark.js'

test.each(['direct', 'packets'])(
  'capture shows the bit MigReq and the LIDs of the plane, on the %s fabric',
  (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'pcap-'))
    const file = join(folder, 'migration.pcap')
    try {
      const packets = kind === 'packets' ? new PacketFabric() : undefined
      const trace = capture(file, packets === undefined ? {} : { fabric: packets })
      const both = link({ fabric: packets ?? trace.fabric })
      const { a, b } = both
      const send = (): void => {
        a.qp.postSend({ opcode: 'rdmaWrite', ...remote(b, 0) })
        packets?.run()
      }
      send()
      a.qp.modify({ alternateLocalIdentifier: 0x4002, pathMigrationState: 1 })
      b.qp.modify({ alternateLocalIdentifier: 0x4001, pathMigrationState: 1 })
      send()
      a.qp.modify({ pathMigrationState: 0 })
      send()
      trace.close()
      const seen = dissectFile(readFileSync(file)).map(({ from, to, migrated }) => [
        ...[from, to, migrated],
      ])
      expect(seen).toEqual([
        ...[
          [1, 2, true],
          [2, 1, true],
          [1, 2, false],
          [2, 1, false],
        ],
        ...[
          [0x4001, 0x4002, true],
          [0x4002, 0x4001, true],
        ],
      ])
      if (hasTshark) expect(complaints(file)).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
