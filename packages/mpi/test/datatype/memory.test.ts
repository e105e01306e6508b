import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import {
  countOf,
  Datatype,
  elementKinds,
  elementsIn,
  elementsOf,
  FLOAT64,
  INT16,
  isPlain,
  kindOf,
  NO_KIND,
  resolveMemory,
  UINT8,
} from '../../src/datatype/index.js'
import { ArgumentError, BufferError, CountError, DatatypeError } from '../../src/errors/index.js'

test('kindOf knows every typed array, its subclasses and those of other realms', () => {
  elementKinds.forEach(({ array }, kind) => {
    expect(kindOf(new array(2))).toBe(kind)
    expect(kindOf(new (class extends (array as typeof Float64Array) {})(2))).toBe(kind)
    expect(kindOf(runInNewContext(`new ${array.name}(2)`))).toBe(kind)
  })
  expect(kindOf(Buffer.from('abc'))).toBe(UINT8)
})

test('kindOf says no to everything else', () => {
  const view = new DataView(new ArrayBuffer(8))
  const fake = { constructor: Float64Array, [Symbol.toStringTag]: 'Float64Array' }
  for (const other of [
    1,
    'a',
    null,
    undefined,
    [1],
    {},
    view,
    fake,
    new Map(),
    Float64Array.prototype,
  ]) {
    expect(kindOf(other)).toBe(NO_KIND)
    expect(isPlain(other)).toBe(false)
  }
})

test('resolveMemory takes a whole array, or a part of one', () => {
  const data = new Float64Array(new ArrayBuffer(96), 16, 10)
  expect(resolveMemory(data)).toMatchObject({ kind: FLOAT64, count: 10, byteOffset: 16, bytes: 80 })
  expect(resolveMemory({ data, offset: 4 })).toMatchObject({ count: 6, byteOffset: 48, bytes: 48 })
  expect(resolveMemory({ data, offset: 4, count: 2 })).toMatchObject({
    count: 2,
    elements: 2,
    contiguous: true,
    byteOffset: 48,
    bytes: 16,
  })
  expect(resolveMemory({ data, offset: 10 })).toMatchObject({ count: 0, bytes: 0 })
})

test('resolveMemory sees an array through a datatype', () => {
  const data = new Int16Array(24)
  const column = Datatype.vector({ count: 4, blockLength: 1, stride: 6 })
  expect(resolveMemory({ data, datatype: column, offset: 5 })).toMatchObject({
    kind: INT16,
    count: 1,
    elements: 4,
    contiguous: false,
    byteOffset: 10,
    bytes: 8,
  })
  const row = Datatype.contiguous(6)
  expect(resolveMemory({ data, datatype: row, count: 2, offset: 6 })).toMatchObject({
    contiguous: true,
    elements: 12,
    byteOffset: 12,
  })
  const middle = Datatype.subarray({ sizes: [4, 6], subsizes: [1, 6], starts: [2, 0] })
  expect(resolveMemory({ data, datatype: middle })).toMatchObject({
    contiguous: true,
    byteOffset: 24,
  })
})

test('resolveMemory keeps what it needs of a datatype that is freed afterwards', () => {
  const datatype = Datatype.contiguous(2)
  const memory = resolveMemory({ data: new Int8Array(4), datatype, count: 2 })
  datatype.free()
  expect(memory.layout?.size).toBe(2)
  expect(() => resolveMemory({ data: new Int8Array(4), datatype })).toThrow(DatatypeError)
})

test('resolveMemory names the array to make of what is no typed array', () => {
  const resolve = (memory: unknown) => () => resolveMemory(memory as Float64Array)
  expect(resolve([1, 2])).toThrow(BufferError)
  expect(resolve([1, 2])).toThrow(
    '`memory` must be a typed array, or { data, count, datatype, offset } with one, ' +
      'but is an array of 2. Make one with `Float64Array.from(array)`',
  )
  expect(resolve({ data: [1] })).toThrow('`memory.data` must be')
  expect(resolve({ date: 1 })).toThrow('is an object')
  expect(resolve(new DataView(new ArrayBuffer(1)))).toThrow('new Uint8Array(view.buffer')
  expect(resolve(new ArrayBuffer(1))).toThrow('new Uint8Array(buffer)')
  expect(resolve(new SharedArrayBuffer(1))).toThrow('new Uint8Array(buffer)')
  for (const other of [5, 'text', null, undefined, 1n, Symbol('s')]) {
    expect(resolve(other)).toThrow(BufferError)
  }
})

test('resolveMemory refuses places and counts the array does not have', () => {
  const data = new Float64Array(10)
  const resolve = (part: object) => () => resolveMemory({ data, ...part })
  expect(resolve({ offset: 11 })).toThrow(ArgumentError)
  expect(resolve({ offset: -1 })).toThrow('`memory.offset` must be an integer from 0 to 10')
  expect(resolve({ offset: 0.5 })).toThrow(ArgumentError)
  expect(resolve({ count: 11 })).toThrow(CountError)
  expect(resolve({ count: 7, offset: 4 })).toThrow(
    '`memory.count` must be an integer from 0 to 6, the elements of the array behind `offset` 4, but is 7',
  )
  expect(resolve({ count: NaN })).toThrow(CountError)
  const datatype = Datatype.vector({ count: 3, blockLength: 1, stride: 4 })
  expect(resolve({ datatype, offset: 2 })).toThrow(
    '`memory.data` must be an array of at least 11 elements, which the datatype needs from `offset` 2 on, ' +
      'but is a Float64Array of 10',
  )
  expect(resolve({ datatype, count: 2 })).toThrow('2 items of the datatype need')
  expect(resolve({ datatype, count: -1 })).toThrow(CountError)
  const back = Datatype.vector({ count: 3, blockLength: 1, stride: -4 })
  expect(resolve({ datatype: back, offset: 7 })).toThrow('at least 8')
  expect(resolve({ datatype: back, offset: 8 })).not.toThrow()
  expect(resolve({ datatype: {} })).toThrow(DatatypeError)
})

test('resolveMemory refuses arrays whose memory is gone or may go', () => {
  const data = new Uint8Array(4)
  structuredClone(data.buffer, { transfer: [data.buffer] })
  expect(() => resolveMemory(data)).toThrow('transferred')
  const buffer: ArrayBuffer = Reflect.construct(ArrayBuffer, [8, { maxByteLength: 16 }])
  expect(() => resolveMemory(new Uint8Array(buffer))).toThrow('keeps its size')
  expect(resolveMemory(new Uint8Array(0)).bytes).toBe(0)
})

test('countOf counts whole items only, elementsIn all elements', () => {
  const pair = Datatype.contiguous(2)
  expect(countOf(48, FLOAT64, pair)).toBe(3)
  expect(countOf(40, FLOAT64, pair)).toBe(undefined)
  expect(elementsIn(40, FLOAT64)).toBe(5)
  expect(countOf(40, FLOAT64)).toBe(5)
  expect(countOf(0, FLOAT64, Datatype.contiguous(0))).toBe(0)
  expect(elementsOf(pair, 3)).toBe(6)
  expect(elementsOf(undefined, 3)).toBe(3)
})
