import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wrap } from '../../src/diagnose/columns.js'
import { listOf } from '../../src/diagnose/describe.js'
import { formatReport } from '../../src/diagnose/format.js'
import type { Report } from '../../src/diagnose/report.js'

const report: Report = {
  code: 'DL01',
  severity: 'error',
  verdict: 'deadlock',
  evidence: [
    { ranks: [0], call: 'recv()', site: '/p/a.ts:1:2', says: 'waits' },
    { ranks: [10], call: 'barrier(world)', site: '/p/b.ts:10:2', says: 'waits' },
  ],
  remarks: [],
}

describe('formatReport', () => {
  it('aligns by the plain text although it is painted', () => {
    const paint = (_role: string, text: string): string => `\x1b[1m${text}\x1b[0m`
    const painted = formatReport(report, { base: '/p', paint })
    // oxlint-disable-next-line no-control-regex
    expect(painted.replace(/\x1b\[\d+m/g, '')).toBe(formatReport(report, { base: '/p' }))
  })

  it('counts the rows it does not show', () => {
    const many = Array.from({ length: 40 }, (_, rank) => ({ ranks: [rank], says: 'waits' }))
    const lines = formatReport({ ...report, evidence: many }).split('\n')
    expect(lines).toHaveLength(1 + 12 + 1 + 1)
    expect(lines[13]).toBe('  ... and 28 more')
  })

  it('stays within its width for any words', () => {
    const words = fc
      .array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 30 })
      .map((all) => all.join(' '))
    fc.assert(
      fc.property(words, words, words, fc.integer({ min: 60, max: 120 }), (a, b, c, width) => {
        const call = a.slice(0, 20)
        const evidence = [{ ranks: [1], call, site: 'x.ts:1', says: b }]
        const remarks = [{ label: 'likely cause', text: c }]
        const text = formatReport({ ...report, evidence, remarks, suggestion: a }, { width })
        for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width)
      }),
    )
  })
})

describe('wrap', () => {
  it('keeps every word in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,9}$/)),
        fc.integer({ min: 9 }),
        (all, width) => {
          expect(wrap(all.join(' '), width).join(' ')).toBe(all.join(' '))
        },
      ),
    )
  })
})

describe('listOf', () => {
  it('shortens runs of three and more', () => {
    expect(listOf([])).toBe('')
    expect(listOf([3])).toBe('3')
    expect(listOf([1, 0])).toBe('0 and 1')
    expect(listOf([5, 2, 0])).toBe('0, 2 and 5')
    expect(listOf([0, 1, 2, 3, 7])).toBe('0-3 and 7')
  })
})
