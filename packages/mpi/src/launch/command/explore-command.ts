import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { NetworkFault } from '@commworld/transport'
import { explore } from '../../explore/explore.js'
import type { Exploration, ExploreOptions, Progress } from '../../explore/explore.js'
import type { RunTrial } from '../../explore/trial.js'
import { BundleFolder } from '../program/bundle.js'
import { EXIT } from '../job/exit-status.js'
import type { ExploreStart, FromExplorer } from '../pool/explore-message.js'
import { explorationJson, explorationText } from './explore-text.js'
import { COROUTINE_RANKS_MAX } from '../job/limits.js'
import { packageFile } from '../program/package-files.js'
import { findProgram } from '../program/program-file.js'
import { ThreadPool } from '../pool/thread-pool.js'
import { trialOfRun } from '../pool/trial-of-run.js'
import { parseFaults } from './parse-faults.js'
import { UsageError } from './usage-error.js'

/** What `mpiexec explore` is asked for. */
export interface ExploreRequest {
  readonly ranks: number
  readonly file: string
  readonly args: readonly string[]
  readonly runs: number
  readonly seconds: number
  readonly depth: number
  readonly seed: number
  readonly json: boolean
  /** What may go wrong in the network; on one thread only. */
  readonly faults: readonly NetworkFault[] | undefined
}

export const EXPLORE_USAGE = `\
mpiexec explore runs a program under many schedules and reports those under which it fails.
Usage: mpiexec explore -n 4 [options] program.ts [arguments]
  -n N           ranks
  --runs N       runs at most (2000)
  --seconds S    time at most (20)
  --depth D      orderings that a fault may need at once, 1 to 5 (3)
  --seed N       of what is drawn (0)
  --faults LIST  what may go wrong in the network, such as loss,crash; for programs that only await
  --json         the result as JSON, for tools
A program that uses only i-forms and awaits them is run on one thread, thousands of times; one with plain
verbs, which block, on a thread a rank, one running at a time, some hundred times.`

/** A single run may take this long before it is taken for an endless loop. */
const SILENCE_MS = 10_000

/** Explores a program. Returns the exit status. Throws `UsageError`, `SpawnError`. */
export async function exploreCommand(argv: readonly string[]): Promise<number> {
  if (argv.length === 0 || argv[0] === '--help' || argv[0] === '-h') {
    process.stdout.write(`${EXPLORE_USAGE}\n`)
    return EXIT.clean
  }
  const request = parseExplore(argv)
  const folder = new BundleFolder()
  try {
    const bundle = await folder.add(findProgram(request.file), request.file)
    const { ranks, args, runs, seconds, depth, seed, faults } = request
    const options = { runs, budgetMs: seconds * 1000, depth, seed }
    const first = await inThread({
      bundle,
      args,
      ranks,
      options,
      faults,
      timeoutMs: SILENCE_MS / 2,
    })
    const blocks = first === BLOCKS
    if (blocks && faults !== undefined) {
      throw new UsageError('--faults needs a program of i-forms; this one uses verbs that block')
    }
    const ended = blocks ? await onThreads(request, options) : first
    if (typeof ended === 'string') {
      process.stderr.write(`mpiexec: ${ended}\n`)
      return EXIT.error
    }
    const inWords = request.json ? explorationJson : explorationText
    const text = inWords(ended, request, blocks ? '--serial' : '--in-process')
    process.stdout.write(`${text}\n`)
    return ended.failures.length > 0 ? EXIT.diagnosed : EXIT.clean
  } finally {
    folder.remove()
  }
}

/** Throws `UsageError`. */
export function parseExplore(argv: readonly string[]): ExploreRequest {
  const options = {
    n: { type: 'string', short: 'n' },
    runs: { type: 'string' },
    seconds: { type: 'string' },
    depth: { type: 'string' },
    seed: { type: 'string' },
    faults: { type: 'string' },
    json: { type: 'boolean' },
  } as const
  const { tokens } = parseArgs({
    args: argv.map((argument) => (argument === '-np' ? '-n' : argument)),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const seen = new Map<string, string>()
  for (const token of tokens) {
    if (token.kind === 'positional') return requestOf(seen, argv.slice(token.index))
    if (token.kind !== 'option') continue
    if (!Object.hasOwn(options, token.name)) {
      throw new UsageError(
        `explore has no option ${token.rawName}; mpiexec explore --help lists all`,
      )
    }
    seen.set(token.name, token.value ?? '')
  }
  throw new UsageError('no program given; try: mpiexec explore -n 4 program.ts')
}

function requestOf(
  seen: ReadonlyMap<string, string>,
  [file, ...args]: readonly string[],
): ExploreRequest {
  const whole = (name: string, fallback: number, least: number, most: number): number => {
    const text = seen.get(name)
    if (text === undefined) return fallback
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    const spelled = name === 'n' ? '-n' : `--${name}`
    throw new UsageError(`${spelled} needs a number from ${least} to ${most}; it got '${text}'`)
  }
  return {
    file: file!,
    args,
    ranks: whole('n', availableParallelism(), 1, COROUTINE_RANKS_MAX),
    runs: whole('runs', 2000, 1, 1e9),
    seconds: whole('seconds', 20, 1, 1e6),
    depth: whole('depth', 3, 1, 5),
    seed: whole('seed', 0, 0, Number.MAX_SAFE_INTEGER),
    json: seen.has('json'),
    faults: seen.has('faults') ? parseFaults(seen.get('faults')!) : undefined,
  }
}

/** Instead of a result: ranks need threads of their own. */
const BLOCKS = 'the program blocks'

/** On a thread a rank, of which one runs at a time. */
async function onThreads(
  { ranks, file, args }: ExploreRequest,
  options: ExploreOptions,
): Promise<Exploration | string> {
  const pool = new ThreadPool({ ranks, timeoutMs: SILENCE_MS, silent: true })
  try {
    const run: RunTrial = async (plan) =>
      trialOfRun(await pool.run(file, [], { serial: true, commandLine: args, ...plan }))
    const exploration = await explore(run, { ...options, progress: showProgress })
    clearLine()
    return exploration
  } finally {
    await pool.close()
  }
}

/** The result, or why there is none. */
function inThread(start: ExploreStart): Promise<Exploration | string> {
  return new Promise((resolve) => {
    const worker = new Worker(packageFile('launch/explore-worker.js'), {
      workerData: start,
      // What the program prints in thousands of runs is of no use.
      stdout: true,
      stderr: true,
    })
    let last: Progress | undefined
    let timer: NodeJS.Timeout
    const end = (result: Exploration | string): void => {
      clearTimeout(timer)
      clearLine()
      void worker.terminate()
      resolve(result)
    }
    const expect = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => end(endlessText(last)), SILENCE_MS)
    }
    worker.on('message', (message: FromExplorer) => {
      expect()
      if (message.type === 'done') return end(message.exploration)
      if (message.type === 'refused') return end(message.blocks ? BLOCKS : message.text)
      last = message.progress
      showProgress(last)
    })
    worker.on('error', (error) => end(error.message))
    worker.on('exit', (code) => end(`the program ended the thread it ran on (status ${code})`))
    expect()
  })
}

function endlessText(last: Progress | undefined): string {
  const when = last === undefined ? 'in its first run' : `after ${last.runs} runs (${last.phase})`
  return (
    `${when} a rank has not awaited anything for ${SILENCE_MS / 1000} s: an endless loop? ` +
    `Run it with --timeout 10 to see where: mpiexec --in-process --timeout 10 ...`
  )
}

function showProgress({ phase, runs, matchings, failures }: Progress): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(
    `\r\x1b[K${phase}: ${runs} runs, ${matchings} matchings, ${failures} failures`,
  )
}

function clearLine(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}
