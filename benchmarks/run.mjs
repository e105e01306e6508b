/**
 * `npm run bench`: our OSU-style programs and their native twins in turn, one table. With
 * `--coll NAME` the algorithms of one collective. How to read it: docs/performance.md.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOptions } from './options.mjs'
import { run } from './table/commands.mjs'
import { compare } from './table/compare.mjs'
import { describeMachine } from './table/machine.mjs'
import { renderReport } from './table/render.mjs'
import { Twins } from './table/twins.mjs'

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
  const bench = { twins, ourCommand, repeats: options.repeats, cores: machine.cores, say }
  if (!options.sweep) return reportTable({ ...bench, machine })
  // It asks the library for its algorithms, which must be built before it can be imported.
  const { reportCollective } = await import('./coll/report.mjs')
  await reportCollective(options, { ...bench, machine })
}

async function reportTable({ machine, ...bench }) {
  const { twins, repeats } = bench
  await twins.prepare(options.measures)
  const rows = []
  for (const [index, measure] of options.measures.entries()) {
    say(`[${index + 1}/${options.measures.length}] ${measure.title}`)
    rows.push(await compare(measure, bench))
  }
  const { memcpy } = twins
  const result = { machine, twins: twins.describe(), memcpy, repeats, rows }
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
