// Writes docs/testing-api.md: everything that @commworld/testing exports, from the docstrings.
//
// `npm run docs` writes it; the test in tests/docs fails when it is out of date.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { exportsOf } from './docstrings.mjs'

const page = fileURLToPath(new URL('../docs/testing-api.md', import.meta.url))

/** Where things are declared, and under which heading they stand. */
const sections = [
  ['Properties of worlds', 'packages/testing/src/property/'],
  [
    'Worlds',
    'packages/testing/src/worlds/',
    'packages/mpi/src/launch/',
    'packages/mpi/src/engine/',
  ],
  ['Checking algorithms', 'packages/testing/src/algorithms/'],
  ['Schedules and choices', 'packages/testing/src/choices/', 'packages/transport/src/choice/'],
  ['Faults of the network', 'packages/transport/src/fabric/', 'packages/mpi/src/errors/'],
  ['What to draw', 'packages/testing/src/arbitraries/'],
  ['Running what was drawn', 'packages/testing/src/conformance/'],
  ['What to compare with', 'packages/testing/src/oracles/'],
  ['Exploring a program', 'packages/mpi/src/explore/'],
  ['Pictures', 'packages/testing/src/picture/'],
]

/** The text of the page. */
export function apiPage() {
  const all = exportsOf('packages/testing/src/index.ts')
  const parts = sections.map(([title, ...folders]) => {
    const own = all
      .filter(({ file }) => folders.some((folder) => file.startsWith(folder)))
      .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
    return { title, own }
  })
  const placed = parts.reduce((sum, { own }) => sum + own.length, 0)
  if (placed !== all.length) throw new Error('an export is under no heading, or under two')
  const contents = parts.map(({ title, own }) => {
    const links = own.map(({ name }) => `[${name}](#${name.toLowerCase()})`)
    return `**${title}**: ${links.join(', ')}`
  })
  return [
    '# All of @commworld/testing',
    'Written by `npm run docs` from the docstrings of the sources. The guide is [testing.md](testing.md).',
    ...contents,
    ...parts.flatMap(({ title, own }) => [`## ${title}`, ...own.flatMap(entry)]),
    '',
  ].join('\n\n')
}

export function readApiPage() {
  return readFileSync(page, 'utf8')
}

function entry({ name, text, tags, examples, signature }) {
  const throws = tags.filter((tag) => tag.name === 'throws').map(({ text: what }) => thrown(what))
  return [
    `### ${name}`,
    ...(text === '' ? [] : [text]),
    ...(throws.length === 0 ? [] : [throws.join('\n')]),
    block(signature),
    ...examples.flatMap((example) => ['Example:', block(example)]),
  ]
}

/** `{RangeError} why` as a line. */
function thrown(text) {
  const [, name, why] = /^\{?(\w+)\}?\s*([^]*)$/.exec(text.replace(/\n/g, ' ')) ?? []
  return name === undefined ? `- Throws ${text}` : `- Throws \`${name}\`: ${why}`
}

function block(code) {
  return `\`\`\`ts\n${code}\n\`\`\``
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, apiPage())
