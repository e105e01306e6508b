import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

import { dissectFile } from '../../packages/transport/test/capture/dissect.js'

const program = fileURLToPath(new URL('perftest.mjs', import.meta.url))

function perftest(...args: string[]): { lines: string[]; rows: number[][] } {
  const { stdout, stderr, status } = spawnSync('node', [program, ...args], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  const columns = lines.findIndex((line) => line.startsWith(' #bytes'))
  const rows = lines.slice(columns + 1, -1).map((line) => line.trim().split(/\s+/).map(Number))
  return { lines, rows }
}

describe('perftest', () => {
  it.each(['send_lat', 'write_lat', 'read_lat', 'atomic_lat'])('%s has its columns', (test) => {
    const { lines, rows } = perftest(test, '-n', '50')
    expect(
      lines.filter((line) => /^ (local|remote) address: LID 0x0[12] QPN/.test(line)),
    ).toHaveLength(2)
    const [bytes, iterations, least, most, typical, average, , p99, p999] = rows[0]!
    expect([bytes, iterations]).toEqual([test === 'atomic_lat' ? 8 : 2, 50])
    const ordered = [least!, typical!, p99!, p999!, most!]
    expect(ordered).toEqual(ordered.toSorted((a, b) => a - b))
    expect(average).toBeGreaterThanOrEqual(least!)
  })

  it.each(['send_bw', 'write_bw', 'read_bw'])('%s has its columns', (test) => {
    const { rows } = perftest(test, '-s', '4096', '-n', '300', '-t', '16')
    const [bytes, iterations, peak, average, rate] = rows[0]!
    expect([bytes, iterations]).toEqual([4096, 300])
    expect(peak).toBeGreaterThanOrEqual(average!)
    expect(average! / ((rate! * 1e6 * 4096) / 2 ** 20)).toBeCloseTo(1, 1)
  })

  it('-a measures all sizes', () => {
    const { rows } = perftest('read_lat', '-a', '-n', '5')
    expect(rows.map(([bytes]) => bytes)).toEqual(
      Array.from({ length: 23 }, (_, at) => 2 ** (at + 1)),
    )
  })

  it('--pcap captures both sides', () => {
    const folder = mkdtempSync(join(tmpdir(), 'perftest-'))
    const file = join(folder, 'write.pcap')
    perftest('write_bw', '-s', '100000', '-n', '5', '--pcap', file)
    const packets = dissectFile(readFileSync(file))
    rmSync(folder, { recursive: true })
    const writes = packets.filter(({ opcode }) => opcode >= 0x06 && opcode <= 0x0a)
    const sent = writes.reduce((sum, { payload }) => sum + payload.length, 0)
    expect(sent % 100_000).toBe(0)
    expect(sent).toBeGreaterThanOrEqual(500_000)
  })
})
