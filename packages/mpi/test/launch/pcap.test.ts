import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AbortedError, ArgumentError, launch, local } from '@commworld/mpi'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { type Dissected, dissectFile } from '../../../transport/test/capture/dissect.js'
import { complaints, hasTshark } from '../../../transport/test/capture/tshark.js'

const traffic = new URL('./programs/traffic.ts', import.meta.url)
const HEADER_BYTES = 32
const SENDS = [0x00, 0x01, 0x02, 0x04]
const READ_RESPONSES = [0x0d, 0x0e, 0x0f, 0x10]
const READ_REQUEST = 0x0c
const ACKNOWLEDGE = 0x11

async function withFile<T>(use: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'pcap-'))
  try {
    const result = await use(join(folder, 'run.pcap'))
    expect(readdirSync(folder)).toEqual(['run.pcap'])
    return result
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Bytes of messages that a capture shows: of SENDs without their headers, and of READs. */
function bytesOf(packets: Dissected[]): number {
  const sends = packets.filter(({ opcode }) => SENDS.includes(opcode))
  const messages = sends.filter(({ opcode }) => opcode === 0x00 || opcode === 0x04)
  const reads = packets.filter(({ opcode }) => READ_RESPONSES.includes(opcode))
  const sum = (some: Dissected[]): number =>
    some.reduce((bytes, { payload }) => bytes + payload.length, 0)
  return sum(sends) - HEADER_BYTES * messages.length + sum(reads)
}

/** Requests of each way between two queue pairs are numbered without a gap, and all are answered. */
function checkNumbers(packets: Dissected[]): void {
  const next = new Map<string, number>()
  const answered = new Map<string, number>()
  for (const { from, to, destination, opcode, sequence, remote } of packets) {
    const answer = READ_RESPONSES.includes(opcode) || opcode === ACKNOWLEDGE
    const way = answer ? `${to} ${from}` : `${from} ${to} ${destination}`
    if (answer) {
      answered.set(way, sequence + 1)
      continue
    }
    expect(sequence).toBe(next.get(way) ?? 0)
    const taken = opcode === READ_REQUEST ? Math.max(1, Math.ceil(remote!.bytes / 4096)) : 1
    next.set(way, sequence + taken)
  }
  for (const [way, sequence] of next) {
    expect(answered.get(way.split(' ').slice(0, 2).join(' '))).toBe(sequence)
  }
}

describe('pcap', () => {
  const lengths = [0, 1, 100, 4000, 4096, 4097, 70_000, ...Array<number>(12).fill(64)]

  it.each([1, 2, 4])('holds what %d threads send each other, and no more', async (ranks) => {
    await withFile(async (pcap) => {
      const args = ['messages', JSON.stringify(lengths)]
      const sent = await launch<number>(traffic, { ranks, args, pcap })
      const packets = dissectFile(readFileSync(pcap))
      expect(bytesOf(packets)).toBe(ranks === 1 ? bytesOf(packets) : sent.reduce((a, b) => a + b))
      checkNumbers(packets)
      if (hasTshark) expect(complaints(pcap)).toEqual([])
    })
  })

  it('shows collectives as messages', async () => {
    await withFile(async (pcap) => {
      await launch(traffic, { ranks: 4, args: ['collectives', '[]'], pcap })
      const packets = dissectFile(readFileSync(pcap))
      // Each rank has to send its share at least once.
      expect(bytesOf(packets)).toBeGreaterThanOrEqual(4 * 512 * 8)
      checkNumbers(packets)
      if (hasTshark) expect(complaints(pcap)).toEqual([])
    })
  })

  it('keeps what was captured when a rank ends the job', async () => {
    await withFile(async (pcap) => {
      const args = ['exit', '[10,20,30]']
      await expect(launch(traffic, { ranks: 2, args, pcap })).rejects.toThrow(AbortedError)
      expect(bytesOf(dissectFile(readFileSync(pcap)))).toBe(120)
    })
  })

  it('holds what coroutines send each other', async () => {
    const arrays = fc.array(fc.nat(9000), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(arrays, fc.integer({ min: 2, max: 4 }), async (sizes, ranks) => {
        await withFile(async (pcap) => {
          const total = sizes.reduce((sum, bytes) => sum + bytes, 0) * ranks
          await local(
            ranks,
            async ({ world }) => {
              for (const bytes of sizes) {
                const dest = (world.rank + 1) % world.size
                const source = (world.rank + world.size - 1) % world.size
                const request = world.isend(new Uint8Array(bytes), { dest })
                await world.irecvInto(new Uint8Array(bytes), { source })
                await request
              }
            },
            { pcap },
          )
          const packets = dissectFile(readFileSync(pcap))
          expect(bytesOf(packets)).toBe(total)
          checkNumbers(packets)
        })
      }),
      { numRuns: 20 },
    )
  })

  it('refuses a file that cannot be written', async () => {
    const pcap = join(tmpdir(), 'no', 'such', 'folder', 'run.pcap')
    await expect(launch(traffic, { ranks: 1, pcap })).rejects.toThrow(ArgumentError)
    await expect(local(1, () => 0, { pcap })).rejects.toThrow('its folder does not exist')
  })
})
