// Writes the tables of algorithms into docs/collectives.md, from the list that dispatch reads.
//
// `npm run docs` writes them; the test in tests/docs fails when they are out of date.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { collectiveAlgorithms, needsInWords, rulesInWords } from '@commworld/mpi/plan'

const page = fileURLToPath(new URL('../docs/collectives.md', import.meta.url))
const begin = '<!-- algorithms: written by npm run docs -->'
const end = '<!-- end of algorithms -->'

/**
 * The text of the page with tables that are up to date.
 *
 * @param {string} text
 * @returns {string}
 */
export function withTables(text) {
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`the page needs ${begin} and ${end}`)
  return text.slice(0, from + begin.length) + `\n\n${tables()}\n\n` + text.slice(to)
}

export function readPage() {
  return readFileSync(page, 'utf8')
}

function tables() {
  const names = [...new Set(collectiveAlgorithms.map(({ collective }) => collective))]
  return names.map((name) => tableOf(name)).join('\n\n')
}

function tableOf(name) {
  const chosen = rulesInWords(name).map(({ use, when }) => `\`${use}\` (${when})`)
  const rows = collectiveAlgorithms
    .filter(({ collective }) => collective === name)
    .map((algorithm) => {
      const { title, use, cost, radix, source } = algorithm
      const needs = needsInWords(algorithm)
      const setting = radix === undefined ? '' : `; radix ${radix}`
      const cells = [`\`${algorithm.name}\``, title, use, cost + setting, needs.join('; '), source]
      return `| ${cells.join(' | ')} |`
    })
  return [
    `### ${name}`,
    '',
    `Chosen: ${chosen.join(', ')}.`,
    '',
    '| name | what it is | when | cost | needs | source |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, withTables(readPage()))
