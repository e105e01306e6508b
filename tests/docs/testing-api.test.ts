import { expect, test } from 'vitest'
import { apiPage, readApiPage } from '../../scripts/testing-api.mjs'

test('docs/testing-api.md is up to date: else run npm run docs', () => {
  expect(readApiPage()).toBe(apiPage())
})

test('apiPage has a place for every export, its docstring, its signature and its example', async () => {
  const page = apiPage()
  const kit = await import('@commworld/testing')
  for (const name of Object.keys(kit)) expect(page).toContain(`\n### ${name}\n`)
  const [, entry] = /\n### replayWorld\n([^]*?)\n### /.exec(page)!
  expect(entry).toContain('Replays a run from its replay string.')
  expect(entry).toContain('- Throws `ScriptError`: the string does not fit the program')
  expect(entry).toContain('function replayWorld<R>(')
  expect(entry).toContain("await replayWorld(3, main, '0=1')")
  expect(page).not.toMatch(/^ {2}#|^export /m)
})
