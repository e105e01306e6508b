import { fabricModel, kAryNTree, profileNamed, routingNamed } from '@commworld/transport/simulated'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Mpi } from '../../src/api/index.js'
import { simulate } from '../../src/launch/simulate.js'
import { reportPage } from '../../src/launch/job/report-page.js'
import { linksJson } from '../../src/simulate/virtual/links-json.js'
import { linkLoads } from '../../src/simulate/virtual/link-loads.js'
import { reportData } from '../../src/simulate/virtual/report-data.js'
import { runText } from '../../src/simulate/virtual/run-text.js'

const routing = routingNamed(kAryNTree({ k: 4, n: 2 }), 'd-mod-k')
const model = fabricModel({ routing, network: profileNamed('hdr')!, layer: 2, name: 'a tree' })

describe('linkLoads', () => {
  it('puts the bytes of each message on every link of its way', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 16 }), sizes, async (ranks, bytes) => {
        const run = await simulate(ranks, ring(bytes), { model, record: true })
        const { loads } = linkLoads(run, 50)
        const sent = bytes.reduce((sum, one) => sum + one, 0)
        for (let host = 0; host < ranks; host++) {
          const up = routing.topology.hostLink(host)
          for (const link of [up, up ^ 1]) {
            const carried = loads.subarray(link * 50, link * 50 + 50).reduce((a, b) => a + b, 0)
            expect(Math.abs(carried - sent)).toBeLessThan(1)
          }
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('what is told of a run', () => {
  it('names its layer, what that ignores, and where the time went', async () => {
    const run = await simulate(8, ring([1000, 50_000]), { model, record: true })
    const text = runText(run)
    for (const words of [
      'virtual time',
      'critical path',
      'layer 2',
      'ignored: ',
      'busiest links',
    ]) {
      expect(text).toContain(words)
    }
    expect(text).toContain('bound by')
    const links = JSON.parse(linksJson(run)) as { links: { name: string; bytes: number }[] }
    expect(links.links.length).toBeGreaterThanOrEqual(16)
  })

  it('is a page that needs no other, with all that is drawn inside', async () => {
    const run = await simulate(8, ring([1000, 50_000]), { model, record: true })
    const page = reportPage(run, 'a ring <8>')
    const head = page.slice(0, page.indexOf('<script'))
    expect(head).not.toMatch(/ (src|href)=/)
    expect(head).toContain('a ring &lt;8>')
    expect(page.includes('echarts.init')).toBe(true)
    const data = reportData(run, 'a ring')
    expect(data.nodes).toHaveLength(24)
    expect(data.messages).toHaveLength(16)
    expect(data.messages.some(([, , , , , critical]) => critical === 1)).toBe(true)
    expect(data.path.reduce((sum, [, share]) => sum + share, 0)).toBeCloseTo(1, 9)
    for (const { shares } of data.cables) expect(Math.max(...shares)).toBeLessThanOrEqual(1.5)
  })
})

describe('reportData', () => {
  it('draws a part of a large run all through it, and the whole critical path', async () => {
    const large = routingNamed(kAryNTree({ k: 8, n: 3 }), 'd-mod-k')
    const on = { ...model, routing: large, layer: 1 as const }
    const run = await simulate(300, ring(new Array<number>(20).fill(100)), {
      model: on,
      record: true,
    })
    const data = reportData(run, 'large')
    expect(data.notes.join()).toMatch(/of every 2nd rank.*one message in 2 is drawn/)
    expect(data.shares.map(([rank]) => rank)).toEqual(
      [...Array(150).keys()].map((rank) => 2 * rank),
    )
    const critical = data.messages.filter((message) => message[5] === 1)
    expect(critical).toHaveLength(run.criticalMessages!.length)
    const last = Math.max(...data.messages.map(([, , , arrived]) => arrived))
    expect(last).toBeGreaterThan(0.9 * data.end)
  })
})

function ring(sizes: readonly number[]) {
  return async ({ world, alloc }: Mpi): Promise<void> => {
    const { rank, size } = world
    for (const bytes of sizes) {
      const send = world.isend(alloc(Uint8Array, bytes), { dest: (rank + 1) % size })
      await world.irecvInto(alloc(Uint8Array, bytes), { source: (rank + size - 1) % size })
      await send
    }
  }
}
