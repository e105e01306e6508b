import { collectiveAlgorithms } from '@commworld/mpi/plan'
import { expect, test } from 'vitest'
import { readPage, withTables } from '../../scripts/algorithm-table.mjs'

test('the tables of docs/collectives.md are up to date: else run npm run docs', () => {
  const page = readPage()
  expect(withTables(page)).toBe(page)
})

test('withTables writes a row for every algorithm, and leaves the rest of a page alone', () => {
  const marks = readPage().match(/<!-- (algorithms|end of algorithms).*?-->/g)!
  const page = withTables(`before\n\n${marks[0]}\nold\n${marks[1]}\n\nafter\n`)
  expect(page).toMatch(/^before\n\n<!-- .*-->\n\n### barrier\n/)
  expect(page).toMatch(/\n\n<!-- .*-->\n\nafter\n$/)
  expect(page).not.toContain('\nold\n')
  for (const { name, title, source } of collectiveAlgorithms) {
    expect(page).toContain(`| \`${name}\` | ${title} | `)
    expect(page).toContain(` | ${source} |`)
  }
  expect(() => withTables('no marks')).toThrow(/needs <!-- algorithms/)
})
