import { expect, test } from 'vitest'
import * as errors from '../../src/errors/index.js'

const { errorClasses, RankError, RootError, TagError, TruncateError, MismatchError, CountError } =
  errors

test('errorClasses holds the 61 classes of MPI 4.1 and success', () => {
  expect(Object.keys(errorClasses)).toHaveLength(62)
  for (const text of Object.values(errorClasses)) expect(text).toMatch(/^[a-z]/)
})

test('RankError says what was seen and what there is', () => {
  const facts = { argument: 'dest', communicator: 'world', size: 4, sentinels: ['PROC_NULL'] }
  expect(new RankError({ ...facts, rank: 4 }).message).toBe(
    '`dest`: rank 4 is outside 0..3 of `world`, which has 4 ranks',
  )
  expect(new RankError({ ...facts, rank: -1 }).message).toBe(
    '`dest`: rank -1 is outside 0..3 of `world`, which has 4 ranks. ' +
      'For anything but a rank there are the symbols PROC_NULL',
  )
  expect(new RankError({ ...facts, rank: 1.5 }).message).toBe(
    '`dest`: 1.5 is not a rank. `world` has ranks 0..3, or PROC_NULL',
  )
  expect(new RankError({ ...facts, rank: undefined }).message).toBe(
    '`dest` is missing. `world` has ranks 0..3, or PROC_NULL',
  )
  expect(new RankError({ ...facts, size: 1, rank: 1 }).message).toBe(
    '`dest`: rank 1 is not in `world`, which has 1 rank',
  )
})

test('RootError has a code of its own', () => {
  const error = new RootError({ root: 9, communicator: 'row', size: 2 })
  expect([error.code, error.name]).toEqual(['MPI_ERR_ROOT', 'RootError'])
  expect(error.message).toBe('`root`: rank 9 is outside 0..1 of `row`, which has 2 ranks')
})

test('TagError names the wildcard when -1 was meant as one', () => {
  expect(new TagError({ argument: 'tag', tag: -1, largest: 2147483647 }).message).toBe(
    '`tag` must be an integer from 0 to 2147483647, but is -1. The wildcard is the symbol ANY_TAG, not a number',
  )
})

test('TruncateError names the sizes of both sides', () => {
  const facts = { source: 1, tag: 3, communicator: 'world', messageBytes: 800, bufferBytes: 400 }
  expect(new TruncateError(facts).message).toBe(
    'message of 800 bytes from rank 1 of `world` with tag 3 does not fit into the 400 bytes it was received into',
  )
  expect(new TruncateError({ ...facts, element: { name: 'float64', bytes: 8 } }).message).toBe(
    'message of 100 float64 (800 bytes) from rank 1 of `world` with tag 3 ' +
      'does not fit into the 50 float64 (400 bytes) it was received into',
  )
})

test('MismatchError says how to receive what was sent', () => {
  const facts = { source: 0, tag: 0, communicator: 'world', received: 'int32' }
  expect(new MismatchError({ ...facts, sent: 'value' }).message).toContain(
    'Receive values with `recv`',
  )
  expect(new MismatchError({ ...facts, sent: 'float64' }).message).toContain('memory of float64')
})

test('CountError describes what it saw', () => {
  const facts = { argument: 'count', expected: 'an integer from 0 to 9' }
  expect(new CountError({ ...facts, seen: 'two' }).message).toBe(
    "`count` must be an integer from 0 to 9, but is 'two'",
  )
  expect(new CountError({ ...facts, seen: new Float64Array(3) }).message).toContain(
    'a Float64Array of 3',
  )
})

test('DimsError shows the list it was given, and keeps it', () => {
  const { DimsError } = errors
  const seen = [2, 0, -1]
  const error = new DimsError({ argument: 'dims', seen, expected: 'a grid' })
  seen[0] = 9
  expect(error.message).toBe('`dims` must be a grid, but is [2, 0, -1]')
  expect([error.code, error.seen]).toEqual(['MPI_ERR_DIMS', [2, 0, -1]])
  const long = new DimsError({ argument: 'dims', seen: new Array(9).fill(2), expected: 'short' })
  expect(long.message).toContain('[2, 2, 2, 2, 2, 2, 2, 2, … (9 in all)]')
})

test('TopologyError says what a communicator has and what it needs', () => {
  const { TopologyError } = errors
  const facts = { communicator: 'world', expected: 'a Cartesian topology' }
  expect(new TopologyError(facts).message).toBe(
    'communicator `world` must have a Cartesian topology, but has none',
  )
  expect(new TopologyError({ ...facts, seen: 'a graph' }).message).toContain('but has a graph')
})

test('every error class is named as it is exported, also on its stack', () => {
  for (const [name, part] of Object.entries(errors)) {
    if (typeof part !== 'function' || !(part.prototype instanceof Error) || name === 'MpiError')
      continue
    expect((part.prototype as Error).name).toBe(name)
  }
  expect(new errors.InternalError('x').stack).toMatch(/^InternalError: x/)
})
