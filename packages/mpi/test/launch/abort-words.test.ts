import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { abortedRank, AbortWords } from '../../src/launch/job/abort-words.js'

const ABORT =
  '\n<--- Last few GCs --->\n\n[1:0x2] 60 ms: Mark-Compact\n\n<--- JS stacktrace --->\n\n' +
  'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n'

function passed(chunks: readonly string[]): { text: string; words: AbortWords } {
  let text = ''
  const words = new AbortWords((more) => (text += more))
  for (const chunk of chunks) words.add(chunk)
  words.end()
  return { text, words }
}

describe('AbortWords', () => {
  it('passes everything else on, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('<', '-', 'F', '#', '\n', 'x') })),
        (chunks) => {
          expect(passed(chunks).text).toBe(chunks.join(''))
        },
      ),
    )
  })

  it('keeps what V8 says of a full heap, however it is cut', () => {
    fc.assert(
      fc.property(fc.nat(ABORT.length), fc.nat(ABORT.length), (one, other) => {
        const [first, second] = one < other ? [one, other] : [other, one]
        const all = `before\n${ABORT}`
        const chunks = [all.slice(0, first), all.slice(first, second), all.slice(second)]
        const { text, words } = passed(chunks)
        expect(text.trimEnd()).toBe('before')
        expect(words.heapWasFull).toBe(true)
      }),
    )
  })
})

describe('abortedRank', () => {
  it('reads the thread out of the name of a report', () => {
    const folder = mkdtempSync(join(tmpdir(), 'commworld-test-'))
    expect(abortedRank(folder)).toBeUndefined()
    writeFileSync(join(folder, 'report.20300102.030405.678.3.001.json'), '{}')
    expect(abortedRank(folder)).toBe(2)
    rmSync(folder, { recursive: true })
    expect(abortedRank(folder)).toBeUndefined()
  })
})
