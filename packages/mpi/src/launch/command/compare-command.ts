import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDuration } from '@commworld/transport/simulated'
import { PATH_PARTS, type PathPart } from '../../simulate/index.js'
import { parseCommand } from './arguments.js'
import { EXIT } from '../job/exit-status.js'
import type { JobRequest } from '../job/job-request.js'
import { UsageError } from './usage-error.js'

const HELP = `\
mpiexec compare A.yaml B.yaml -- OPTIONS program.ts runs a program on two simulated clusters.

  mpiexec compare static.yaml adaptive.yaml -- -n 64 program.ts`

/** What a profile that is not fitted to a machine is good for; of one profile most of the error cancels. */
const PROFILE_ERROR = 0.3
const SAME_PROFILE_ERROR = 0.1

/** What is compared of a run; as links-json.ts writes it. */
interface RunNumbers {
  readonly fabric: string
  readonly routing: string
  readonly network: string
  readonly layer: number
  readonly ignores: readonly string[]
  readonly seconds: number
  readonly messages: number
  readonly criticalPath: Readonly<Record<PathPart, number>>
  readonly links: readonly { readonly name: string; readonly bytes: number }[]
}

/**
 * `mpiexec compare ...`. @returns the exit status
 *
 * @throws UsageError
 */
export async function compareCommand(
  argv: readonly string[],
  runJob: (request: JobRequest) => Promise<number>,
): Promise<number> {
  const at = argv.indexOf('--')
  if (argv.length === 0 || argv[0] === '--help') {
    process.stdout.write(`${HELP}\n`)
    return EXIT.clean
  }
  if (at !== 2) throw new UsageError('compare takes two fabrics: A.yaml B.yaml -- -n 64 program.ts')
  const folder = mkdtempSync(join(tmpdir(), 'mpiexec-compare-'))
  try {
    const runs: RunNumbers[] = []
    for (const fabric of argv.slice(0, 2)) {
      const file = join(folder, `${runs.length}.json`)
      const status = await runJob(jobOn(fabric, file, argv.slice(3), runs.at(-1)?.seconds))
      if (status !== EXIT.clean) return status
      runs.push(JSON.parse(readFileSync(file, 'utf8')) as RunNumbers)
    }
    process.stdout.write(`${comparison(runs[0]!, runs[1]!)}\n`)
    return EXIT.clean
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param expectedSeconds what the run on the other fabric took */
function jobOn(
  fabric: string,
  links: string,
  rest: readonly string[],
  expectedSeconds: number | undefined,
): JobRequest {
  const says = rest.includes('--in-process') || rest.includes('--serial')
  const inProcess = says ? [] : ['--in-process']
  const command = parseCommand(['--fabric', fabric, '--links', links, ...inProcess, ...rest])
  if (command.kind !== 'run') throw new UsageError('compare runs a program: -- -n 64 program.ts')
  return { ...command.job, fabric: { ...command.job.fabric!, quiet: true, expectedSeconds } }
}

/** Two runs side by side, and whether the difference says anything. */
export function comparison(a: RunNumbers, b: RunNumbers): string {
  const micro = (ps: number): string => formatDuration(Math.round(ps))
  const busiest = ({ links }: RunNumbers): string => {
    const [most] = [...links].sort((one, other) => other.bytes - one.bytes)
    return most === undefined ? 'none' : `${most.name}, ${most.bytes} B`
  }
  const rows = [
    ['', a.fabric, b.fabric],
    ['routing', a.routing, b.routing],
    ['layer', String(a.layer), String(b.layer)],
    ['virtual time', micro(a.seconds * 1e12), micro(b.seconds * 1e12)],
    ['messages', String(a.messages), String(b.messages)],
    ...PATH_PARTS.map((part) => [
      `on the critical path: ${part}`,
      micro(a.criticalPath[part]),
      micro(b.criticalPath[part]),
    ]),
    ['busiest link', busiest(a), busiest(b)],
  ]
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map(
    ([name, left, right]) => `${name!.padEnd(widths[0]!)}  ${left!.padEnd(widths[1]!)}  ${right}`,
  )
  const ignored = [...new Set([...a.ignores, ...b.ignores])]
  return [
    ...lines.map((line) => line.trimEnd()),
    '',
    verdict(a, b),
    `ignored: ${ignored.join('; ')}`,
  ].join('\n')
}

function verdict(a: RunNumbers, b: RunNumbers): string {
  if (a.seconds === b.seconds) return 'both take the same time'
  const [fast, slow] = a.seconds < b.seconds ? [a, b] : [b, a]
  const ratio = slow.seconds / fast.seconds
  const words = `${fast.fabric} is ${ratio.toFixed(2)} times as fast`
  const same = a.network === b.network
  const error = same ? SAME_PROFILE_ERROR : PROFILE_ERROR
  if (ratio - 1 >= error) return words
  const which = same ? 'with one profile' : 'between profiles that are not fitted to a machine'
  return `${words}: that is below what the model is good for (${error * 100} % ${which})`
}
