/** One collective, every algorithm side by side: runs the programs. */
import { figureLines, run } from '../table/commands.mjs'
import { figure } from '../table/render.mjs'
import { sizeText } from '../table/sizes.mjs'
import { algorithmsOf, pickOf } from './algorithms.mjs'
import { panelByBytes, panelByRanks } from './panel.mjs'

/** More than fits into the time that is given for each size: time decides. */
const COUNTS = ['-x', '50000', '-i', '100000']

/** Ranks on one machine share memory; the second is what the other lines of the table lead to. */
const CHOOSERS = [
  { title: 'picked', sharedMemory: true },
  { title: 'picked without shared memory', sharedMemory: false },
]

export async function sweep({ collective, rankCounts, maxBytes, seconds, repeats }, bench) {
  const args = [collective, '-m', `1:${maxBytes}`, ...COUNTS, '-s', String(seconds)]
  const task = { collective, args, repeats }
  const columns = []
  for (const ranks of rankCounts) columns.push({ ranks, ...(await measure(task, ranks, bench)) })
  const choosers = CHOOSERS.map(({ title, sharedMemory }) => ({
    title,
    sharedMemory,
    pick: (ranks, bytes) => pickOf(collective, { ranks, bytes, sharedMemory }),
  }))
  const isEmpty = columns.every(({ positions }) => positions.every((bytes) => bytes === 0))
  if (isEmpty) return [panelByRanks(columns, choosers)]
  return columns.map((column) => panelByBytes(column, choosers))
}

async function measure({ args, collective, repeats }, ranks, bench) {
  const lines = linesFor(collective, bench).map((line) => ({ ...line, times: new Map() }))
  for (let repeat = 1; repeat <= repeats; repeat++) {
    for (const line of lines) {
      if (line.failure) continue
      const { command, env } = commandOf(line, { args, ranks }, bench)
      const result = await run(command, { env })
      if (result.ok) keepBest(line.times, figureLines(result.stdout))
      else line.failure = reasonOf(result)
      const outcome = line.failure ? `failed: ${line.failure}` : summary(line.times)
      bench.say(`  ${ranks} ranks, run ${repeat} of ${repeats}, ${line.title}: ${outcome}`)
    }
  }
  const seen = new Set(lines.flatMap(({ times }) => [...times.keys()]))
  return { lines, positions: [...seen].sort((a, b) => a - b) }
}

function linesFor(collective, { twins }) {
  const ours = algorithmsOf(collective).map(({ name, title, needs }) => ({
    ...{ side: 'ours', name, title },
    sharedMemory: needs.sharedMemory ?? false,
  }))
  const natives = Object.entries({ openmpi: 'Open MPI', mpich: 'MPICH' })
    .filter(([side]) => twins.has(side))
    .map(([side, title]) => ({ side, name: side, title, sharedMemory: true }))
  return [...ours, ...natives]
}

function commandOf({ side, name }, { args, ranks }, { twins, cores, ourCommand }) {
  const what = { program: 'coll', args, ranks }
  if (side !== 'ours') return twins.command(what, side, cores)
  const named = { ...what, args: [...args, '--algorithm', name] }
  return { command: ourCommand(named, ranks), env: {} }
}

/** `rows` hold size and mean first. */
function keepBest(times, rows) {
  for (const [bytes, mean] of rows)
    times.set(bytes, Math.min(mean, times.get(bytes) ?? Number.POSITIVE_INFINITY))
}

/** What went wrong, without where. */
function reasonOf({ stderr, stdout }) {
  const lines = (stderr || stdout).split('\n').map((line) => line.trim())
  const where = lines.findIndex((line) => /^(stack|try|more): /.test(line))
  return (
    lines
      .slice(0, where < 0 ? 3 : where)
      .join(' ')
      .trim() || 'no reason given'
  )
}

function summary(times) {
  const ends = [...times].filter((_, index) => index === 0 || index === times.size - 1)
  return ends.map(([bytes, time]) => `${figure(time)} µs at ${sizeText(bytes)}`).join(' … ')
}
