import fc from 'fast-check'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { elementKinds } from '../../src/datatype/index.js'
import { ValueError } from '../../src/errors/index.js'
import {
  BIGINT,
  CLONED_VALUE,
  GRAPH_VALUE,
  NUMBER,
  PACKED_VALUE,
} from '../../src/p2p/message-kind.js'
import { ValueCodec } from '../../src/value/value-codec.js'
import { difference } from './same-graph.js'
import { values } from './values.js'

const sender = new ValueCodec()
const receiver = new ValueCodec()

/** Through memory that is shared, as a message goes. */
function travel(value: unknown): unknown {
  const { kind, bytes } = sender.encode(value)
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length + 3)).subarray(3)
  shared.set(bytes)
  const arrived = receiver.decode(kind, shared)
  shared.fill(255)
  return arrived
}

test('ValueCodec carries whatever structuredClone copies, exactly', () => {
  fc.assert(
    fc.property(values, (value) => {
      const expected = structuredClone(value)
      const arrived = travel(value)
      const found = difference(arrived, expected)
      expect(found, `${found} in ${inspect(value, { depth: 9 })}`).toBe(undefined)
    }),
    { numRuns: 3000 },
  )
})

test('ValueCodec decodes every message alone, in any order', () => {
  fc.assert(
    fc.property(fc.array(values, { minLength: 2, maxLength: 5 }), fc.nat(), (list, seed) => {
      const messages = list.map((value) => sender.encode(value))
      const order = [...list.keys()].toSorted((a, b) => ((a * seed) % 7) - ((b * seed) % 7))
      for (const i of order) {
        const { kind, bytes } = messages[i]!
        const arrived = new ValueCodec().decode(kind, bytes)
        expect(difference(arrived, structuredClone(list[i]))).toBe(undefined)
      }
    }),
    { numRuns: 100 },
  )
})

test('encode takes the quick ways for what they carry', () => {
  const kindOf = (value: unknown): number => sender.encode(value).kind
  expect(kindOf({ step: 1, name: 'x', values: [1, 2, 3] })).toBe(PACKED_VALUE)
  expect(kindOf('text')).toBe(PACKED_VALUE)
  expect(kindOf([undefined, null, 2n ** 70n])).toBe(PACKED_VALUE)
  expect(kindOf({ grid: new Float64Array(4), at: new Date(0) })).toBe(PACKED_VALUE)
  expect(kindOf(Array.from({ length: 20 }, (_, id) => ({ id })))).toBe(GRAPH_VALUE)
  expect(kindOf(new Map([[1, new Set([2])]]))).toBe(GRAPH_VALUE)
  const shared = { a: 1 }
  expect(kindOf([shared, shared])).toBe(GRAPH_VALUE)
  expect(kindOf({ zero: -0 })).toBe(CLONED_VALUE)
  // oxlint-disable-next-line no-sparse-arrays -- a hole is what this is about
  expect(kindOf([1, , 2])).toBe(CLONED_VALUE)
  expect(kindOf('abc'.match(/b/))).toBe(CLONED_VALUE)
})

test('encode takes numbers and bigints of 64 bits as eight bytes', () => {
  for (const value of [0, -0, 1.5, NaN, -Infinity]) {
    expect(sender.encode(value)).toMatchObject({ kind: NUMBER, bytes: { length: 8 } })
    expect(travel(value)).toBe(value)
  }
  for (const value of [0n, -(2n ** 63n), 2n ** 63n - 1n]) {
    expect(sender.encode(value)).toMatchObject({ kind: BIGINT, bytes: { length: 8 } })
    expect(travel(value)).toBe(value)
  }
  expect(sender.encode(2n ** 63n).kind).toBe(PACKED_VALUE)
  expect(travel(2n ** 63n)).toBe(2n ** 63n)
})

test('encode takes typed arrays as their own memory, decode makes fresh ones', () => {
  elementKinds.forEach(({ array }, kind) => {
    const data = new array(new ArrayBuffer(64), 8, 3)
    const { kind: sent, bytes } = sender.encode(data)
    expect([sent, bytes.buffer, bytes.byteOffset]).toEqual([kind, data.buffer, 8])
    expect(travel(data)).toEqual(data)
  })
})

test('decode of a nested typed array shares no memory with the message', () => {
  for (const value of [{ a: new Uint8Array([1, 2]) }, [new Float64Array([-0]), -0]]) {
    expect(travel(value)).toEqual(value)
  }
})

test('ValueCodec carries long and deep values', () => {
  const long = Array.from({ length: 30_000 }, (_, i) => i / 3)
  expect(travel(long)).toEqual(long)
  const dictionary = Object.fromEntries(long.map((value, i) => [`key ${i}`, { value }]))
  expect(travel(dictionary)).toEqual(dictionary)
  let deep: unknown = null
  for (let i = 0; i < 1000; i++) deep = i % 2 === 0 ? [deep] : { deep }
  expect(difference(travel(deep), structuredClone(deep))).toBe(undefined)
  let doubled: unknown = []
  for (let i = 0; i < 30; i++) doubled = [doubled, doubled]
  expect(difference(travel(doubled), structuredClone(doubled))).toBe(undefined)
  const named = Object.assign(long.slice(0, 1000), { unit: 'm' })
  expect((travel(named) as typeof named).unit).toBe('m')
})

test('instances of classes arrive as plain objects with their fields', () => {
  class Point {
    readonly x = 1
    readonly y = -0
    norm(): number {
      return 1
    }
  }
  expect(travel([new Point()])).toStrictEqual([{ x: 1, y: -0 }])
  expect(travel(Object.assign(Object.create(null) as object, { a: 1 }))).toStrictEqual({ a: 1 })
  expect(
    travel({
      get computed() {
        return 5
      },
    }),
  ).toStrictEqual({ computed: 5 })
})

test('encode refuses what cannot travel and names its path', () => {
  class Sealed {
    readonly #secret = 1
    get secret(): number {
      return this.#secret
    }
  }
  const gone = new Uint8Array(8)
  structuredClone(gone.buffer, { transfer: [gone.buffer] })
  const refused: [unknown, string, string][] = [
    [() => 1, 'value', 'a function'],
    [Symbol('s'), 'value', 'a symbol'],
    [{ a: [0, 1, 2, { b: () => 1 }] }, 'value.a[3].b', 'the function b'],
    [{ a: { 'two words': Symbol('s') } }, "value.a['two words']", 'a symbol'],
    [[Promise.resolve()], 'value[0]', 'a promise'],
    [{ cache: new WeakMap() }, 'value.cache', 'a WeakMap'],
    [new WeakSet(), 'value', 'a WeakSet'],
    [{ ref: new WeakRef({}) }, 'value.ref', 'a WeakRef'],
    [new Map([['k', [() => 1]]]), "value.get('k')[0]", 'a function'],
    [new Map([[Symbol('s'), 1]]), 'value.keys()[0]', 'a symbol'],
    [new Set([1, () => 1]), 'value.values()[1]', 'a function'],
    [{ [Symbol('hidden')]: 1 }, 'value[Symbol(hidden)]', 'keyed by a symbol'],
    [Object.assign([1], { [Symbol('hidden')]: 1 }), 'value[Symbol(hidden)]', 'keyed by a symbol'],
    [new Proxy({}, {}).constructor, 'value', 'the function Object'],
    [{ memory: new SharedArrayBuffer(8) }, 'value.memory', 'a SharedArrayBuffer'],
    [{ gone }, 'value.gone', 'memory that was transferred away'],
    [{ at: new URL('file:///') }, 'value.at', 'a URL without fields that can be read'],
    [[new Sealed()], 'value[0]', 'a Sealed without fields that can be read'],
    [[[1].values()], 'value[0]', 'an Array Iterator without fields that can be read'],
    [Object.assign(new Map(), { extra: 1 }), 'value.extra', 'a field of a Map'],
    [Object.assign(new Error('e'), { errno: 1 }), 'value.errno', 'a field of an Error'],
    [new AggregateError([]), 'value', 'an AggregateError, whose errors would be lost'],
    [Object.assign(Object.create(null) as object, { f: () => 1 }), 'value.f', 'the function f'],
  ]
  for (const [value, path, found] of refused) {
    expect(() => sender.encode(value)).toThrow(ValueError)
    expect(() => sender.encode(value)).toThrow(expect.objectContaining({ path, found }))
  }
  expect(() => sender.encode({ a: [() => 1] })).toThrow(
    '`value.a[0]` is a function, which cannot travel in a message',
  )
})

test('encode refuses values nested too deeply, and works afterwards', () => {
  let deep: unknown = null
  for (let i = 0; i < 200_000; i++) deep = [deep]
  expect(() => sender.encode(deep)).toThrow('nested too deeply')
  expect(travel({ a: 1 })).toEqual({ a: 1 })
})

test('encode refuses wherever in a value the thing is, and nothing else', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(() => sender.encode({ value, here: [() => 1] })).toThrow(
        expect.objectContaining({ path: 'value.here[0]' }),
      )
    }),
    { numRuns: 200 },
  )
})
