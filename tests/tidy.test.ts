// Rules of the repository that no linter has.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = listFiles()
const sources = files.filter((path) => /\.(ts|mjs|js)$/.test(path))

test('tidy reads the whole repository', () => {
  expect(files).toContain('package.json')
  expect(sources.length).toBeGreaterThan(100)
})

test('no file or folder has a name that says nothing', () => {
  const vague = /(^|\/|[-.])(utils?|helpers?|common|misc|stuff)([-./]|$)/
  expect(files.filter((path) => vague.test(path))).toEqual([])
})

test('file names are kebab-case', () => {
  const names = sources.filter((path) => !/^[a-z0-9.-]+$/.test(basename(path)))
  expect(names).toEqual([])
})

test('no work is left behind in the sources', () => {
  // Letters in brackets: this file must not find itself.
  expect(findings(sources, /\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b|@ts-(ignore|nocheck)/)).toEqual([])
})

test('no test is skipped or run alone', () => {
  expect(findings(sources, /\b(test|it|describe|bench)\.(only|skip|todo)\b/)).toEqual([])
})

test('no file names a folder of one machine', () => {
  const machine = /(^|[\s'"`(=])\/(home|Users|work|root|private)\/(?!ab?\b)|[A-Z]:\\\\/
  expect(findings(files.filter(isText), machine)).toEqual([])
})

test('the lock file names no registry', () => {
  expect(findings(['pnpm-lock.yaml'], /https?:\/\//)).toEqual([])
})

test('index files only re-export', () => {
  const indexFiles = sources.filter((path) => /^packages\/[^/]+\/src\/(.*\/)?index\.ts$/.test(path))
  expect(indexFiles.length).toBeGreaterThan(0)
  const logic = indexFiles.filter((path) => {
    const code = read(path).replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
    return code.replace(/export\s+(type\s+)?(\*|\{[^}]*\})[^']*'[^']+';?/g, '').trim() !== ''
  })
  expect(logic).toEqual([])
})

function findings(paths: string[], pattern: RegExp): string[] {
  return paths.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
      ),
  )
}

function listFiles(): string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard']
  const output = execFileSync('git', list, { cwd: root, encoding: 'utf8' })
  return [...new Set(output.split('\n'))].filter((path) => path !== '' && existsSync(root + path))
}

function isText(path: string): boolean {
  return !/\.(png|svg|jpg)$/.test(path)
}

function read(path: string): string {
  return readFileSync(root + path, 'utf8')
}
