import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../../src/launch/program/program-file.js'
import { SpawnError } from '../../src/launch/program/spawn-error.js'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commworld-test-'))
  for (const name of ['hello.ts', 'ring.mjs', 'data.json', 'notes']) {
    writeFileSync(join(folder, name), '')
  }
  mkdirSync(join(folder, 'examples'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('findProgram', () => {
  it('resolves a path and a file URL', () => {
    const path = join(folder, 'hello.ts')
    expect(findProgram('hello.ts', folder)).toBe(path)
    expect(findProgram(pathToFileURL(path))).toBe(path)
  })

  it.each([
    ['helo.ts', /^helo\.ts: there is no such file; did you mean hello\.ts\?$/],
    ['hello', /did you mean hello\.ts\?$/],
    ['ring.ts', /did you mean ring\.mjs\?$/],
    ['nothing-like-it.ts', /: there is no such file$/],
    ['missing/hello.ts', /: there is no such file$/],
    ['examples', /this is a directory/],
    ['data.json', /mpiexec runs TypeScript and JavaScript \(\.ts .*\)$/],
    ['notes', /mpiexec runs TypeScript and JavaScript/],
  ])('refuses %s', (name, message) => {
    expect(() => findProgram(name, folder)).toThrow(SpawnError)
    expect(() => findProgram(name, folder)).toThrow(message)
  })
})
