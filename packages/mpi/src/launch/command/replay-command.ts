import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { fabricModel, ImportError, TopologyError } from '@commworld/transport/simulated'
import { parseGoal } from '../../simulate/goal/parse-goal.js'
import { replayGoal } from '../../simulate/goal/replay-goal.js'
import { fabricNamed, usualFabric } from '../../simulate/index.js'
import { SimulationError } from '../../simulate/simulation-error.js'
import { runText } from '../../simulate/virtual/run-text.js'
import { UsageError } from './usage-error.js'

const OPTIONS = {
  fabric: { type: 'string' },
  ppn: { type: 'string' },
  digest: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const HELP = `\
mpiexec replay FILE.goal runs a GOAL schedule (text) in virtual time on a simulated cluster.

  mpiexec --fabric a.yaml --in-process -n 64 --goal run.goal program.ts
  mpiexec replay run.goal --fabric b.yaml

  --fabric FILE         cluster (YAML), or a network such as ndr; default: HDR InfiniBand, a full fat tree of 40-port switches
  --ppn RANKS           ranks per host
  --digest              print a hash of the event log

A schedule keeps what its trace knew: the algorithms of collectives, and what wildcards received.`

/**
 * `mpiexec replay ...`: the text that it prints.
 *
 * @throws UsageError
 */
export function replayCommand(argv: readonly string[]): string {
  const { values, positionals } = parse(argv)
  const [file, ...others] = positionals
  if (values.help || file === undefined) return HELP
  if (others.length > 0) throw new UsageError(`replay one schedule at a time, not ${others[0]} too`)
  const { ppn, fabric, digest = false } = values
  if (ppn !== undefined && !/^[1-9]\d{0,5}$/.test(ppn)) {
    throw new UsageError(`--ppn needs a whole number from 1; it got '${ppn}'`)
  }
  try {
    const schedule = parseGoal(textOf(file), file)
    const ranksPerHost = ppn === undefined ? undefined : Number(ppn)
    const hosts = Math.ceil(schedule.ranks.length / (ranksPerHost ?? 1))
    const base = fabric === undefined ? usualFabric(hosts) : fabricNamed(fabric, hosts)
    const model = fabricModel({ ...base, ...(ranksPerHost !== undefined && { ranksPerHost }) })
    return runText(replayGoal(schedule, { model, digest }))
  } catch (error) {
    const known = [SimulationError, ImportError, TopologyError]
    if (known.some((kind) => error instanceof kind)) throw new UsageError((error as Error).message)
    throw error
  }
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
