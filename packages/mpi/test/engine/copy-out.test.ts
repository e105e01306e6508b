import { local } from '@commworld/mpi'
import fc from 'fast-check'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { copyOut } from '../../src/engine/world/copy-out.js'
import { difference } from '../value/same-graph.js'
import { values } from '../value/values.js'

test('copyOut changes nothing in a value', () => {
  fc.assert(
    fc.property(values, (value) => {
      const found = difference(copyOut(value, new SharedArrayBuffer(8)), value)
      expect(found, `${found} in ${inspect(value, { depth: 9 })}`).toBe(undefined)
    }),
    { numRuns: 300 },
  )
})

test('local gives back a key that is called __proto__', async () => {
  const [value] = await local(1, () =>
    JSON.parse('{ "__proto__": 0, "list": [{ "__proto__": {} }] }'),
  )
  expect(JSON.stringify(value)).toBe('{"__proto__":0,"list":[{"__proto__":{}}]}')
})

test('copyOut takes arrays out of the memory of a world, wherever they are', () => {
  const memory = new SharedArrayBuffer(64)
  const inside = new Float64Array(memory, 8, 2).fill(7)
  const [copied] = copyOut([new Map([[1, { inside }]])], memory) as [
    Map<number, { inside: unknown }>,
  ]
  inside.fill(0)
  expect(copied.get(1)).toEqual({ inside: Float64Array.of(7, 7) })
})
