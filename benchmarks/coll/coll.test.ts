import { expect, test } from 'vitest'
import fc from 'fast-check'
import { panelByBytes, panelByRanks, type Panel } from './panel.mjs'
import { renderPage } from './page.mjs'
import { pickOverBest, renderPanel } from './text-table.mjs'
import { thresholdsBetween } from './thresholds.mjs'

const example: Panel = {
  title: '4 ranks',
  axis: 'bytes',
  positions: [8, 1024],
  labels: ['8 B', '1 KiB'],
  lines: [
    { side: 'ours', name: 'ring', title: 'Ring', microseconds: [6, 8] },
    { side: 'ours', name: 'linear', title: 'Linear', microseconds: [3, 24] },
    {
      side: 'ours',
      name: 'halving',
      title: 'Halving',
      microseconds: [undefined, undefined],
      failure: 'needs </script>',
    },
    { side: 'mpich', name: 'mpich', title: 'MPICH', microseconds: [1, 2] },
  ],
  picks: ['linear', 'linear'],
  thresholds: [],
}

test('thresholdsBetween finds the first position of each algorithm to the byte', () => {
  const bounds = fc.uniqueArray(fc.integer({ min: 2, max: 1 << 20 }), { maxLength: 5 })
  fc.assert(
    fc.property(bounds, (unsorted) => {
      const ascending = unsorted.sort((a, b) => a - b)
      const pick = (bytes: number) => `a${ascending.filter((bound) => bytes >= bound).length}`
      // Every bound lies between two positions of its own.
      const positions = [1, ...ascending.flatMap((bound) => [bound - 1, bound]), 1 << 21]
      const found = thresholdsBetween(
        [...new Set(positions)].sort((a, b) => a - b),
        pick,
      )
      expect(found.map(({ at }) => at)).toEqual(ascending)
    }),
  )
})

test('thresholdsBetween is silent where no pick is told', () => {
  expect(thresholdsBetween([1, 2, 4], () => undefined)).toEqual([])
})

test('panelByBytes labels sizes and bounds, and leaves holes where nothing was measured', () => {
  const line = { side: 'ours' as const, name: 'ring', title: 'Ring', times: new Map([[8, 5]]) }
  const column = { ranks: 2, positions: [8, 2048], lines: [line] }
  const panel = panelByBytes(column, (_, bytes) => (bytes < 1500 ? 'ring' : 'linear'))
  expect(panel.labels).toEqual(['8 B', '2 KiB'])
  expect(panel.lines[0]?.microseconds).toEqual([5, undefined])
  expect(panel.thresholds).toEqual([{ at: 1500, label: '1500 B', from: 'ring', to: 'linear' }])
})

test('panelByRanks has one position for each number of ranks', () => {
  const columns = [2, 3].map((ranks) => ({
    ranks,
    positions: [0],
    lines: [
      { side: 'mpich' as const, name: 'mpich', title: 'MPICH', times: new Map([[0, ranks]]) },
    ],
  }))
  const panel = panelByRanks(columns, () => undefined)
  expect([panel.positions, panel.lines[0]?.microseconds]).toEqual([
    [2, 3],
    [2, 3],
  ])
})

test('pickOverBest compares the pick with the best of the library alone', () => {
  expect([pickOverBest(example, 0), pickOverBest(example, 1)]).toEqual([1, 3])
})

test('renderPanel stars the pick, leaves out what has no figures and says why', () => {
  const text = renderPanel(example)
  expect(text).toContain('| 1 KiB | 8    | 24 * ')
  expect(text).not.toContain('| halving')
  expect(text).toContain('- Halving did not run: needs </script>')
})

test('renderPage needs no other file and survives any text', () => {
  const page = renderPage({ title: 'allreduce < all', notes: ['a & b'], panels: [example] })
  expect(page).not.toMatch(/<(script|link|img)[^>]* (src|href)=/)
  expect(page.match(/<\/script>/g)).toHaveLength(3)
  expect(page).toContain('<h1>allreduce &lt; all</h1>')
  const [, json] = /id="result">([^]*?)<\/script>/.exec(page) ?? []
  expect(JSON.parse(json ?? '').panels[0].lines[2].failure).toBe('needs </script>')
})
