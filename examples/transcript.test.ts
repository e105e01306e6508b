import { expect, test } from 'vitest'
import { difference, transcriptsIn } from './transcript.js'

const inOrder = { anyOrder: false }
const inAnyOrder = { anyOrder: true }

test('transcriptsIn finds commands with their output and their form', () => {
  const page = [
    'Text with `$ npx no transcript`.',
    '```console any-order exit=2',
    '$ npx first',
    'one',
    '$ npx second',
    '```',
    '```ts',
    '$ npx not this',
    '```',
  ].join('\n')
  const form = { anyOrder: true, exitStatus: 2 }
  expect(transcriptsIn(page)).toEqual([
    { line: 3, command: 'npx first', output: 'one\n', form },
    { line: 5, command: 'npx second', output: '', form },
  ])
})

test('difference accepts the same lines, whatever white space ends them', () => {
  expect(difference('a\nb\n', 'a  \nb\n\n', inOrder)).toBeUndefined()
})

test('difference sees another order, a missing line and one too many', () => {
  expect(difference('a\nb', 'b\na', inOrder)).toContain('but it printed:\nb\na')
  for (const form of [inOrder, inAnyOrder]) {
    expect(difference('a\nb', 'a', form)).toBeDefined()
    expect(difference('a', 'a\nb', form)).toBeDefined()
    expect(difference('a\na', 'a\nb', form)).toBeDefined()
  }
  expect(difference('a\nb', 'b\na', inAnyOrder)).toBeUndefined()
})

test('difference lets … stand for some characters and ⋮ for any lines', () => {
  expect(difference('took … s (ok)', 'took 0.1 s (ok)', inOrder)).toBeUndefined()
  expect(difference('took … s', 'took  s', inOrder)).toBeDefined()
  expect(difference('a\n⋮\nz', 'a\nz', inOrder)).toBeUndefined()
  expect(difference('a\n⋮\nz', 'a\nb\nc\nz', inOrder)).toBeUndefined()
  expect(difference('a\n⋮\nz', 'a\nb', inOrder)).toBeDefined()
})

test('difference takes what looks like a pattern literally', () => {
  expect(difference('f(x) = [1.0]', 'f(x) = [1.0]', inOrder)).toBeUndefined()
  expect(difference('1.0', '100', inOrder)).toBeDefined()
})
