import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EnvelopeTable } from '../../../src/p2p/matching/envelope-table.js'
import { Item } from './items.js'

test('EnvelopeTable keeps every envelope in order through all its rebuilds', () => {
  const step = fc.record({ tag: fc.nat(300), remove: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 900, size: 'max' }), (program) => {
      const table = new EnvelopeTable<Item>()
      const model = new Map<number, Item[]>()
      program.forEach(({ tag, remove }, id) => {
        const items = model.get(tag) ?? []
        model.set(tag, items)
        if (remove && items.length > 0) {
          table.remove(items.shift()!)
        } else {
          const item = new Item(id, { context: 1, source: 0, tag })
          table.append(item)
          items.push(item)
        }
        expect(table.first(1, 0, tag)).toBe(items[0])
      })
      for (const [tag, items] of model) expect(table.first(1, 0, tag)).toBe(items[0])
      const all = [...table].map(({ id }) => id).toSorted((a, b) => a - b)
      const expected = [...model.values()].flat().map(({ id }) => id)
      expect(all).toEqual(expected.toSorted((a, b) => a - b))
    }),
    { numRuns: 30 },
  )
})

test('EnvelopeTable tells envelopes apart that differ in one field', () => {
  const table = new EnvelopeTable<Item>()
  const items = [0, 1, 2].flatMap((context) =>
    [0, 1, 2].flatMap((source) =>
      [0, 1, 2].map((tag) => new Item(context * 9 + source * 3 + tag, { context, source, tag })),
    ),
  )
  for (const item of items) table.append(item)
  for (const item of items) expect(table.first(item.context, item.source, item.tag)).toBe(item)
})

test('EnvelopeTable grows with envelopes that come and go, and finds the last one', () => {
  const table = new EnvelopeTable<Item>()
  const stays = new Item(-1, { context: 1, source: 0, tag: 2 ** 30 - 1 })
  table.append(stays)
  for (let tag = 0; tag < 50_000; tag++) {
    const item = new Item(tag, { context: 1, source: 0, tag })
    table.append(item)
    table.remove(item)
  }
  expect([...table]).toEqual([stays])
  expect(table.first(1, 0, stays.tag)).toBe(stays)
})
