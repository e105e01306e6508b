import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  fabricModel,
  type FabricModel,
  ImportError,
  TopologyError,
} from '@commworld/transport/simulated'
import { parseGoal } from '../../simulate/goal/parse-goal.js'
import { replayGoal } from '../../simulate/goal/replay-goal.js'
import { fabricNamed, usualFabric } from '../../simulate/index.js'
import { SimulationError } from '../../simulate/simulation-error.js'
import { isTrace, parseTrace, type TraceFile } from '../../simulate/trace/parse-trace.js'
import { runText } from '../../simulate/virtual/run-text.js'
import { replayTrace } from '../replay/replay-trace.js'
import { progressLine } from './progress-line.js'
import { UsageError } from './usage-error.js'

const OPTIONS = {
  fabric: { type: 'string' },
  ppn: { type: 'string' },
  speed: { type: 'string' },
  digest: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const HELP = `\
mpiexec replay FILE... runs a trace in virtual time on a simulated cluster: a GOAL schedule (text), or
a time-independent trace of SimGrid, in one file or in one file a rank.

  mpiexec --fabric a.yaml --in-process -n 64 --goal run.goal program.ts
  mpiexec replay run.goal --fabric b.yaml
  mpiexec replay rank-0.txt rank-1.txt --fabric b.yaml --speed 2e9

  --fabric FILE         cluster (YAML), or a network such as ndr; default: HDR InfiniBand, a full fat tree of 40-port switches
  --ppn RANKS           ranks per host
  --speed FLOPS         what a rank computes in a second, for traces of SimGrid; default 1e9
  --digest              print a hash of the event log

A schedule keeps what its trace knew: the algorithms of collectives, and what wildcards received. In traces of
SimGrid collectives take the algorithms of this library. A file that names files, a line each, stands for them.`

const USUAL_SPEED = 1e9

/**
 * `mpiexec replay ...`: the text that it prints.
 *
 * @throws UsageError
 */
export async function replayCommand(argv: readonly string[]): Promise<string> {
  const { values, positionals } = parse(argv)
  if (values.help || positionals.length === 0) return HELP
  const { ppn, digest = false } = values
  if (ppn !== undefined && !/^[1-9]\d{0,5}$/.test(ppn)) {
    throw new UsageError(`--ppn needs a whole number from 1; it got '${ppn}'`)
  }
  const flopsPerSecond = values.speed === undefined ? USUAL_SPEED : Number(values.speed)
  if (!(flopsPerSecond > 0 && flopsPerSecond < Infinity)) {
    throw new UsageError(`--speed needs flops per second above 0; it got '${values.speed}'`)
  }
  const progress = progressLine()
  try {
    const files = positionals.flatMap(filesOf)
    const [first] = files as [TraceFile, ...TraceFile[]]
    if (isTrace(first.text)) {
      const trace = parseTrace(files)
      const model = modelOf(values, trace.ranks.length)
      const run = await replayTrace(trace, {
        model,
        flopsPerSecond,
        digest,
        onProgress: (begun, all, nowPs) => progress.tell(begun / all, nowPs),
      })
      return `${runText(run)}\ncomputing: ${flopsPerSecond} flop/s a rank`
    }
    if (files.length > 1)
      throw new UsageError(`replay one schedule at a time, not ${files[1]!.name} too`)
    if (values.speed !== undefined)
      throw new UsageError('--speed: a GOAL schedule has times, not flops')
    const schedule = parseGoal(first.text, first.name)
    const model = modelOf(values, schedule.ranks.length)
    return runText(replayGoal(schedule, { model, digest, onProgress: progress.tell }))
  } catch (error) {
    const known = [SimulationError, ImportError, TopologyError]
    if (known.some((kind) => error instanceof kind)) throw new UsageError((error as Error).message)
    throw error
  } finally {
    progress.end()
  }
}

function modelOf({ fabric, ppn }: { fabric?: string; ppn?: string }, ranks: number): FabricModel {
  const ranksPerHost = ppn === undefined ? undefined : Number(ppn)
  const hosts = Math.ceil(ranks / (ranksPerHost ?? 1))
  const base = fabric === undefined ? usualFabric(hosts) : fabricNamed(fabric, hosts)
  return fabricModel({ ...base, ...(ranksPerHost !== undefined && { ranksPerHost }) })
}

/** A file, or those that it names. */
function filesOf(name: string): TraceFile[] {
  const text = textOf(name)
  const lines = text.split('\n').map((line) => line.trim())
  const names = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const places = names.map((one) => resolve(dirname(name), one))
  const isList = names.length > 0 && names.every((one) => !/\s/.test(one)) && places.every(isFile)
  return isList ? places.map((place) => ({ name: place, text: textOf(place) })) : [{ name, text }]
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`replay: ${(error as Error).message}; mpiexec replay --help tells more`)
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
}
