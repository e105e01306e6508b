import type { Algorithm } from '../../coll/plan/algorithm.js'
import { COLLECTIVE_KINDS, type CollectiveName } from '../../coll/plan/collective.js'
import { measuredBy, needsInWords, rulesInWords } from '../../coll/select/in-words.js'
import { algorithmsOf } from '../../coll/select/registry.js'
import { SHARING_RANKS_MAX } from '../../device/board.js'
import { wrap } from '../../diagnose/columns.js'
import { ALGORITHM_VARIABLE } from './algorithm-variable.js'

const WIDTH = 100
/** Where the second column begins: behind the longest name. */
const COLUMN = 26
/** Width of `use`, `cost`, ... */
const LABEL = 8

const CHOICE = `\
A call is served by the algorithm that it names itself, { algorithm: 'ring' }; if it names none, by
the one that the job names, --algorithm allreduce=ring or ${ALGORITHM_VARIABLE}, where that can serve
the call; or else by the first line below that fits. KiB are those of the whole vector, or of the
block of one rank; values count as short, as do blocks of the v-forms, whose lengths differ by rank.
Ranks share memory that run on one machine, up to ${SHARING_RANKS_MAX} of them.

p ranks, m bytes of the vector, b bytes of a block, n blocks that a vector is cut into, k the radix:
where an algorithm has one, name:8 sets it.`

/** The text of `mpiexec --info coll`, or of `--info allreduce`. */
export function algorithmsText(only?: CollectiveName): string {
  const shown = only === undefined ? COLLECTIVE_KINDS : [only]
  return [CHOICE, ...shown.flatMap(collectiveLines)].join('\n')
}

function collectiveLines(collective: CollectiveName): string[] {
  const bytes = measuredBy(collective)
  const unit = bytes === undefined ? '' : `, by the bytes of ${bytes}`
  const chosen = rulesInWords(collective).map(
    ({ use, when }) => `  ${use.padEnd(COLUMN - 2)}${when}`,
  )
  const title = collective.toUpperCase()
  const cards = algorithmsOf(collective).flatMap((algorithm) => ['', ...cardLines(algorithm)])
  return ['', '', title, '', `Which one serves a call${unit}:`, '', ...chosen, '', 'All:', ...cards]
}

function cardLines(algorithm: Algorithm): string[] {
  const { name, title, source, use, cost, radix } = algorithm
  const needs = needsInWords(algorithm)
  return [
    ...entry(name, title),
    ...entry('', use, 'use'),
    ...entry('', cost, 'cost'),
    ...(needs.length > 0 ? entry('', needs.join('; '), 'needs') : []),
    ...(radix === undefined ? [] : entry('', `${radix} unless it is named`, 'radix')),
    ...entry('', source, 'source'),
  ]
}

function entry(name: string, text: string, label = ''): string[] {
  const labelled = label === '' ? '' : label.padEnd(LABEL)
  const column = COLUMN + labelled.length
  const [first = '', ...rest] = wrap(text, WIDTH - column)
  const indent = ' '.repeat(column)
  return [`  ${name.padEnd(COLUMN - 2)}${labelled}${first}`, ...rest.map((line) => indent + line)]
}
