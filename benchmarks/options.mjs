/** The command line of `npm run bench`. */
import { parseArgs } from 'node:util'
import { MEASURES } from './table/measures.mjs'
import { parseSize } from './table/sizes.mjs'

const HELP = `usage: npm run bench -- [options]
  --only NAME,...   these measures only:
${wrapped(MEASURES.map(({ name }) => name))}
  --repeats COUNT   repetitions of each side, the best counts (default 5; 3 with --coll)
  --quick           two repetitions
  --json            the result as JSON instead of a table
  --help            this text

usage: npm run bench -- --coll NAME [options]
  every algorithm of one collective side by side over message sizes, as a table and as a plot
  --ranks COUNT,... (default 2,8)
  --max SIZE        largest message, such as 64K or 1M (default 1M)
  --seconds TIME    about how long each size takes (default 0.2)`

/** What `--coll` and `--only` ask for, with the defaults filled in; ends the process on a mistake. */
export function readOptions() {
  const values = parseCommandLine()
  if (values.help) {
    console.log(HELP)
    process.exit(0)
  }
  const common = { json: values.json ?? false, repeats: readRepeats(values) }
  if (values.coll !== undefined) return { ...common, sweep: readSweep(values) }
  for (const name of ['ranks', 'max', 'seconds'])
    if (values[name] !== undefined) refuse(`--${name} goes with --coll`)
  return { ...common, measures: readMeasures(values) }
}

function parseCommandLine() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        coll: { type: 'string' },
        ranks: { type: 'string' },
        max: { type: 'string' },
        seconds: { type: 'string' },
        repeats: { type: 'string' },
        quick: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    return refuse(error.message)
  }
}

function readRepeats({ repeats, quick, coll }) {
  const number = Number(repeats ?? (quick ? 2 : coll === undefined ? 5 : 3))
  if (!isCount(number)) refuse(`--repeats takes a positive number, not ${repeats}`)
  return number
}

function readMeasures({ only }) {
  const wanted = only?.flatMap((names) => names.split(','))
  const unknown = wanted?.find((wish) => !MEASURES.some(({ name }) => name === wish))
  if (unknown !== undefined) refuse(`no measure is called ${unknown}`)
  return wanted ? MEASURES.filter(({ name }) => wanted.includes(name)) : MEASURES
}

function readSweep({ coll, ranks = '2,8', max = '1M', seconds = '0.2' }) {
  const rankCounts = ranks.split(',').map(Number)
  if (!rankCounts.every(isCount)) refuse(`--ranks takes counts such as 2,8, not ${ranks}`)
  const maxBytes = parseSize(max)
  if (!maxBytes) refuse(`--max takes a size such as 64K or 1M, not ${max}`)
  if (!(Number(seconds) > 0)) refuse(`--seconds takes a time above 0, not ${seconds}`)
  return {
    // The standard's names are taken too: reduce_scatter_block.
    collective: coll.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()),
    rankCounts: [...new Set(rankCounts)].sort((a, b) => a - b),
    maxBytes,
    seconds: Number(seconds),
  }
}

function isCount(number) {
  return Number.isInteger(number) && number > 0
}

function wrapped(names) {
  const lines = ['']
  for (const name of names) {
    if (lines.at(-1).length + name.length > 75) lines.push('')
    lines[lines.length - 1] += `${name}, `
  }
  return lines
    .map((line) => `                    ${line.trim()}`)
    .join('\n')
    .replace(/,$/, '')
}

function refuse(reason) {
  console.error(`bench: ${reason}\n${HELP}`)
  process.exit(1)
}
