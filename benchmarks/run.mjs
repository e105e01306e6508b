/**
 * `npm run bench`: our OSU-style programs and their native twins in turn, one table.
 * How to read it: docs/performance.md.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { run } from './table/commands.mjs'
import { compare } from './table/compare.mjs'
import { describeMachine } from './table/machine.mjs'
import { MEASURES } from './table/measures.mjs'
import { renderReport } from './table/render.mjs'
import { Twins } from './table/twins.mjs'

const HELP = `usage: npm run bench -- [options]
  --only NAME,...   these measures only: ${MEASURES.map(({ name }) => name).join(', ')}
  --repeats COUNT   repetitions of each side, the best counts (default 5)
  --quick           two repetitions
  --json            the result as JSON instead of a table
  --help            this text`

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..')
const mpiexec = join(root, 'packages/mpi/dist/launch/mpiexec.js')

const options = readOptions()
const folder = mkdtempSync(join(tmpdir(), 'commworld-bench-'))
process.once('SIGINT', () => process.exit(130))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
await main()

async function main() {
  if (!existsSync(mpiexec)) await build()
  const machine = describeMachine()
  const twins = new Twins({ sources: join(here, 'native'), folder, say })
  await twins.prepare(options.measures)

  const bench = { twins, ourCommand, repeats: options.repeats, cores: machine.cores, say }
  const rows = []
  for (const [index, measure] of options.measures.entries()) {
    say(`[${index + 1}/${options.measures.length}] ${measure.title}`)
    rows.push(await compare(measure, bench))
  }
  const { memcpy } = twins
  const result = { machine, twins: twins.describe(), memcpy, repeats: options.repeats, rows }
  console.log(options.json ? JSON.stringify(result, null, 2) : renderReport(result))
  if (rows.some(({ failures }) => failures.ours)) process.exitCode = 1
}

/** Progress goes to stderr, so that the table or the JSON can be redirected. */
function say(text) {
  process.stderr.write(`${text}\n`)
}

async function build() {
  say('building the packages ...')
  const { ok, stdout, stderr } = await run(['npm', 'run', 'build', '--prefix', root], {
    timeoutMs: 600_000,
  })
  if (ok) return
  console.error(`the build failed:\n${stdout}${stderr}`)
  process.exit(1)
}

/** The launcher's file is run directly: npx would add its own time. */
function ourCommand({ program, args }, ranks) {
  const file = join(here, 'osu', `${program}.ts`)
  return [process.execPath, mpiexec, '-n', String(ranks), file, ...args]
}

function readOptions() {
  const values = parseCommandLine()
  if (values.help) {
    console.log(HELP)
    process.exit(0)
  }
  const wanted = values.only?.flatMap((names) => names.split(','))
  const unknown = wanted?.find((wish) => !MEASURES.some(({ name }) => name === wish))
  if (unknown !== undefined) refuse(`no measure is called ${unknown}`)
  const repeats = Number(values.repeats ?? (values.quick ? 2 : 5))
  if (!Number.isInteger(repeats) || repeats < 1)
    refuse(`--repeats takes a positive number, not ${values.repeats}`)
  const measures = wanted ? MEASURES.filter(({ name }) => wanted.includes(name)) : MEASURES
  return { measures, repeats, json: values.json ?? false }
}

function parseCommandLine() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string', multiple: true },
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

function refuse(reason) {
  console.error(`bench: ${reason}\n${HELP}`)
  process.exit(1)
}
