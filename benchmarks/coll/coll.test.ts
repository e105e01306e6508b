import { expect, test } from 'vitest'
import fc from 'fast-check'
import { COLLECTIVES } from '../osu/collectives.js'
import { algorithmsOf, pickOf } from './algorithms.mjs'
import { panelByBytes, panelByRanks, type Panel, type Selection } from './panel.mjs'
import { renderPage } from './page.mjs'
import { pickOverBest, renderPanel } from './text-table.mjs'
import { thresholdsBetween } from './thresholds.mjs'

const ring = { side: 'ours' as const, name: 'ring', title: 'Ring', sharedMemory: false }

const example: Panel = {
  title: '4 ranks',
  axis: 'bytes',
  positions: [8, 1024],
  labels: ['8 B', '1 KiB'],
  lines: [
    { side: 'ours', name: 'direct', title: 'Direct', sharedMemory: true, microseconds: [2, 4] },
    { ...ring, microseconds: [6, 8] },
    { side: 'ours', name: 'linear', title: 'Linear', sharedMemory: false, microseconds: [3, 24] },
    {
      side: 'ours',
      name: 'halving',
      title: 'Halving',
      sharedMemory: false,
      microseconds: [undefined, undefined],
      failure: 'needs </script>',
    },
    { side: 'mpich', name: 'mpich', title: 'MPICH', sharedMemory: true, microseconds: [1, 2] },
  ],
  selections: [
    { title: 'picked', sharedMemory: true, picks: ['direct', 'direct'], thresholds: [] },
    { title: 'apart', sharedMemory: false, picks: ['linear', 'linear'], thresholds: [] },
  ],
}

test('thresholdsBetween finds a change between two positions to the byte', () => {
  const positions = Array.from({ length: 20 }, (_, i) => 2 ** (i + 2))
  // At most one bound between two positions, as a share of the way.
  const shares = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 19 })
  fc.assert(
    fc.property(shares, (offsets) => {
      const bounds = offsets.flatMap((share, i) => {
        const low = positions[i] ?? 0
        return share === null ? [] : [Math.max(low + 1, Math.round(low * (1 + share)))]
      })
      const pick = (bytes: number) => `a${bounds.filter((bound) => bytes >= bound).length}`
      expect(thresholdsBetween(positions, pick).map(({ at }) => at)).toEqual(bounds)
    }),
  )
})

test('thresholdsBetween is silent where no pick is told', () => {
  expect(thresholdsBetween([1, 2, 4], () => undefined)).toEqual([])
})

test('panelByBytes labels sizes and bounds, and leaves holes where nothing was measured', () => {
  const line = { ...ring, times: new Map([[8, 5]]) }
  const column = { ranks: 2, positions: [8, 2048], lines: [line] }
  const pick = (_: number, bytes: number) => (bytes < 1500 ? 'ring' : 'linear')
  const panel = panelByBytes(column, [{ title: 'picked', sharedMemory: false, pick }])
  expect(panel.labels).toEqual(['8 B', '2 KiB'])
  expect(panel.lines[0]?.microseconds).toEqual([5, undefined])
  expect(panel.selections[0]?.thresholds).toEqual([
    { at: 1500, label: '1500 B', from: 'ring', to: 'linear' },
  ])
})

test('panelByRanks has one position for each number of ranks', () => {
  const columns = [2, 3].map((ranks) => ({
    ...{ ranks, positions: [0] },
    lines: [{ ...ring, times: new Map([[0, ranks]]) }],
  }))
  const panel = panelByRanks(columns, [])
  expect([panel.positions, panel.lines[0]?.microseconds]).toEqual([
    [2, 3],
    [2, 3],
  ])
})

test('pickOverBest compares the pick with the best that could have been picked', () => {
  const [picked, apart] = example.selections as [Selection, Selection]
  const ratios = [0, 1].map((i) => [
    pickOverBest(example.lines, picked, i),
    pickOverBest(example.lines, apart, i),
  ])
  expect(ratios).toEqual([
    [1, 1],
    [1, 3],
  ])
})

test('renderPanel marks the picks, leaves out what has no figures and says why', () => {
  const text = renderPanel(example)
  expect(text).toContain('| 1 KiB | 4 *    | 8    | 24 °   | 2     | 1        | 3        |')
  expect(text).not.toContain('| halving')
  expect(text).toContain('- Halving did not run: needs </script>')
})

test('pickOf understands every condition of the table and serves every collective', () => {
  for (const collective of Object.keys(COLLECTIVES)) {
    const names = algorithmsOf(collective).map(({ name }) => name)
    for (const [ranks, bytes] of [2, 3, 8].flatMap((p) =>
      [8, 1 << 20].map((m) => [p, m] as const),
    )) {
      expect(names).toContain(pickOf(collective, { ranks, bytes, sharedMemory: false }))
      expect(pickOf(collective, { ranks, bytes, sharedMemory: true })).toBe('direct')
    }
  }
})

test('renderPage needs no other file and survives any text', () => {
  const page = renderPage({ title: 'allreduce < all', notes: ['a & b'], panels: [example] })
  expect(page).not.toMatch(/<(script|link|img)[^>]* (src|href)=/)
  expect(page.match(/<\/script>/g)).toHaveLength(3)
  expect(page).toContain('<h1>allreduce &lt; all</h1>')
  const [, json] = /id="result">([^]*?)<\/script>/.exec(page) ?? []
  expect(JSON.parse(json ?? '').panels[0].lines[3].failure).toBe('needs </script>')
})
