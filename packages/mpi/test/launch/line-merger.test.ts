import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineMerger } from '../../src/launch/output/line-merger.js'

function merged(label: string, chunks: readonly (string | Uint8Array)[]) {
  const emitted: Buffer[] = []
  let credit = 0
  const merger = new LineMerger(label, (bytes, fresh) => {
    emitted.push(bytes)
    credit += fresh
  })
  for (const chunk of chunks) {
    const held = merger.add(chunk)
    credit += held
  }
  const whole = emitted.map((bytes) => bytes.toString())
  merger.end()
  return { whole, text: Buffer.concat(emitted).toString(), credit }
}

describe('LineMerger', () => {
  it('holds a line until it is whole', () => {
    const { whole, text } = merged('', ['one ', 'line\nand', ' more'])
    expect(whole).toEqual(['one line\n'])
    expect(text).toBe('one line\nand more')
  })

  it('labels each line', () => {
    expect(merged('[3] ', ['a\n\nb', 'c\nd']).text).toBe('[3] a\n[3] \n[3] bc\n[3] d')
  })

  it('keeps every byte, emits whole lines and gives each byte its credit once', () => {
    const piece = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'é', '\n', ' ') }),
      fc.uint8Array({ max: 127 }),
    )
    fc.assert(
      fc.property(fc.array(piece), (chunks) => {
        const { whole, text, credit } = merged('', chunks)
        const all = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk as string)))
        expect(text).toBe(all.toString())
        expect(credit).toBe(all.length)
        for (const part of whole) expect(part.endsWith('\n')).toBe(true)
      }),
    )
  })

  it('lets a line go that is too long to hold', () => {
    const chunk = 'x'.repeat(2 ** 20)
    const { whole, credit } = merged(
      '',
      Array.from({ length: 20 }, () => chunk),
    )
    expect(whole).toHaveLength(1)
    expect(credit).toBe(20 * 2 ** 20)
  })
})
