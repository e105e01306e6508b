import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fingerprint } from '../../scripts/fingerprint.mjs'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commworld-fingerprint-'))
  mkdirSync(join(folder, 'packages/one/src/deep'), { recursive: true })
  mkdirSync(join(folder, 'packages/two'))
  writeFileSync(join(folder, 'packages/one/src/deep/file.ts'), 'one')
})

afterEach(() => rmSync(folder, { recursive: true }))

test('fingerprint changes with a file added, changed, renamed and with a fact', () => {
  const seen = new Set([now()])
  write('packages/one/src/added.ts', '')
  seen.add(now())
  write('packages/one/src/deep/file.ts', 'other')
  seen.add(now())
  rmSync(join(folder, 'packages/one/src/added.ts'))
  write('packages/one/src/renamed.ts', '')
  seen.add(now())
  seen.add(now('another processor'))
  expect(seen.size).toBe(5)
})

test('fingerprint stays when nothing or something else changes', () => {
  const before = now()
  write('packages/two/notes.md', 'not a source')
  write('packages/one/src/kernels.wasm.ts', 'generated')
  expect(now()).toBe(before)
})

function now(fact = 'this processor'): string {
  return fingerprint(folder, ['packages/*/src/**'], [fact])
}

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), text)
}
