import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import {
  AgreementError,
  DeadlockError,
  InStatusError,
  MpiError,
  packError,
  RankError,
  restoreError,
  TruncateError,
} from '../../src/errors/index.js'

const truncate = (): TruncateError =>
  new TruncateError({
    source: 1,
    tag: 3,
    communicator: 'world',
    messageBytes: 800,
    bufferBytes: 400,
    element: { name: 'float64', bytes: 8 },
  })

function travel(thrown: unknown): unknown {
  return restoreError(structuredClone(packError(thrown)))
}

test('packError keeps class, code, facts and stack of an MpiError', () => {
  const error = truncate()
  const arrived = travel(error) as TruncateError
  expect(arrived).toBeInstanceOf(TruncateError)
  expect(arrived).toBeInstanceOf(MpiError)
  expect(arrived.code).toBe('MPI_ERR_TRUNCATE')
  expect({ ...arrived }).toEqual({ ...error })
  expect(arrived.message).toBe(error.message)
  expect(arrived.stack).toBe(error.stack)
  expect(inspect(arrived)).toBe(inspect(error))
})

test('packError keeps what ranks called that do not agree', () => {
  const called = { operation: 'bcast', root: 1 }
  const first = { operation: 'reduce', root: 0, reduction: 'SUM', kind: 'float64', count: 4 }
  const error = new AgreementError({ communicator: 'world', number: 7, called, first })
  const arrived = travel(error) as AgreementError
  expect(arrived).toBeInstanceOf(AgreementError)
  expect({ ...arrived }).toEqual({ ...error })
})

test('packError keeps errors inside of errors', () => {
  const error = new InStatusError({
    operation: 'waitAll',
    failures: [{ index: 2, error: truncate() }],
    count: 4,
  })
  const arrived = travel(error) as InStatusError
  expect(arrived.failures[0]?.index).toBe(2)
  expect(arrived.failures[0]?.error).toBeInstanceOf(TruncateError)
  expect(arrived.cause).toBeInstanceOf(TruncateError)
})

test('packError keeps a report that is data', () => {
  const report = { ranks: [0, 1], core: [{ rank: 0, arcs: [{ peer: 1 }] }] }
  const arrived = travel(new DeadlockError({ ranks: [0, 1], text: 'stuck', report }))
  expect((arrived as DeadlockError).report).toEqual(report)
})

test('packError puts into words what cannot be posted', () => {
  const error = new RankError({
    argument: 'dest',
    rank: Symbol('X'),
    communicator: 'world',
    size: 2,
  })
  expect((travel(error) as RankError).rank).toBe('X')
  const own = Object.assign(new Error('no'), { callback: () => 1, loop: {} as object })
  own.loop = { own }
  expect((travel(own) as typeof own).callback).toBe('the function callback')
})

test('packError keeps errors of the language and of the user', () => {
  const range = new RangeError('too far', { cause: new TypeError('why') })
  const arrived = travel(range) as RangeError
  expect(arrived).toBeInstanceOf(RangeError)
  expect(arrived.cause).toBeInstanceOf(TypeError)
  class OwnError extends Error {
    override name = 'OwnError'
    detail = 7
  }
  const own = travel(new OwnError('mine')) as OwnError
  expect(own).toBeInstanceOf(Error)
  expect([own.name, own.message, own.detail]).toEqual(['OwnError', 'mine', 7])
})

test('packError keeps thrown values that are no errors', () => {
  expect(travel('text')).toBe('text')
  expect(travel(undefined)).toBe(undefined)
  expect(travel({ why: [1, 2] })).toEqual({ why: [1, 2] })
})
