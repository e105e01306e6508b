import { readdirSync, readFileSync } from 'node:fs'
import { checkAlgorithm } from '@commworld/testing'
import { expect, test } from 'vitest'
import { wrongRing } from '../../../examples/testing/wrong-ring.js'

const page = readFileSync(new URL('../../../docs/testing.md', import.meta.url), 'utf8')
const folder = new URL('../../../examples/testing/', import.meta.url)

test('the code of the guide is that of the examples, whose tests run', () => {
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const blocks = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code!)
  expect(blocks.length).toBeGreaterThan(3)
  for (const block of blocks) expect(sources).toContain(block)
})

test('the fault of the guide is what the checker says', () => {
  const [, shown] = /^```\n(allreduce by wrong-ring[^]*?)^```$/m.exec(page)!
  expect(checkAlgorithm(wrongRing)!.text).toContain(shown!.trimEnd())
})

test('the names of the guide are exported', async () => {
  const kit = await import('@commworld/testing')
  const [, section] = page.split('## What to draw')
  const rows = [...section!.split('\n## ')[0]!.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => [
    ...cell!.matchAll(/`([a-zA-Z]\w+)`/g),
  ])
  const names = rows.map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(15)
  for (const name of names) expect(Object.keys(kit)).toContain(name)
})
