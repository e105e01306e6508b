import { parseArgs } from 'node:util'
import {
  fabricModel,
  ImportError,
  ROUTING_NAMES,
  routingNamed,
  TopologyError,
  type FabricModel,
  type RoutingName,
} from '@commworld/transport/simulated'
import { COLLECTIVE_KINDS, type CollectiveName } from '../../coll/plan/collective.js'
import { isCollective } from '../../coll/select/named-algorithms.js'
import { algorithmsOf } from '../../coll/select/registry.js'
import { AlgorithmError } from '../../errors/index.js'
import {
  fabricNamed,
  fabricText,
  inNetwork,
  resultText,
  simulateCollective,
  SimulationError,
  usualFabric,
} from '../../simulate/index.js'
import { nearestName } from './nearest-name.js'
import { parseSize, SIZE_GRAMMAR } from './size-grammar.js'
import { progressLine } from './progress-line.js'
import { UsageError } from './usage-error.js'

const OPTIONS = {
  ranks: { type: 'string', short: 'n' },
  bytes: { type: 'string' },
  algorithm: { type: 'string' },
  fabric: { type: 'string' },
  layer: { type: 'string' },
  routing: { type: 'string' },
  ppn: { type: 'string' },
  placement: { type: 'string' },
  segments: { type: 'string' },
  root: { type: 'string' },
  digest: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const HELP = `\
mpiexec simulate COLLECTIVE runs a collective in virtual time on a simulated cluster, without a program.

  mpiexec simulate allreduce --ranks 65536 --bytes 8 --algorithm recursive-doubling
  mpiexec simulate alltoall --ranks 512 --bytes 64KiB --fabric cluster.yaml --layer 2
  mpiexec simulate check --fabric cluster.yaml        whether its routing is sound, and its numbers

  -n, --ranks RANKS     ranks of the world
  --bytes SIZE          of the vector, or of a block (gather, scatter, allgather, alltoall); default 8
  --algorithm NAME      name or name:radix; for allreduce also in-network; default: what the rules say
  --fabric FILE         cluster (YAML), or a network such as ndr; default: HDR InfiniBand, a full fat tree of 40-port switches
  --layer 1|2           2 shares links between switches; default 1, or the file's
  --routing NAME        ${ROUTING_NAMES.join(', ')}
  --ppn RANKS           ranks per host
  --placement WAY       block or round-robin
  --segments NUMBER     blocks that a vector is cut into
  --root RANK           default 0
  --digest              print a hash of the event log: equal runs have equal ones`

/**
 * `mpiexec simulate ...`: the text that it prints.
 *
 * @throws UsageError
 */
export function simulateCommand(argv: readonly string[]): string {
  const { values, positionals } = parse(argv)
  if (values.help || argv.length === 0) return HELP
  if (positionals[0] === 'check') return checkCommand(values)
  const collective = collectiveOf(positionals)
  const ranks = wholeNumber('ranks', values.ranks ?? missing('--ranks'), 1)
  const bytes = collective === 'barrier' ? 0 : bytesOf(values.bytes)
  const { algorithm, segments, root, digest } = values
  checkAlgorithm(collective, algorithm)
  const progress = progressLine()
  return explained(() => {
    const result = simulateCollective({
      collective,
      ranks,
      bytes,
      model: modelOf(values, ranks),
      ...(algorithm !== undefined && { algorithm }),
      ...(segments !== undefined && { segments: wholeNumber('segments', segments, 1) }),
      ...(root !== undefined && { root: rankOf(root, ranks) }),
      ...(digest && { digest }),
      onProgress: progress.tell,
    })
    progress.end()
    const text = resultText(result, bytes)
    return result.digest === undefined ? text : `${text}\nevent log: ${result.digest}`
  })
}

/** `mpiexec simulate check`: the fabric itself. */
function checkCommand(values: Parameters<typeof modelOf>[0] & { ranks?: string }): string {
  const ranks = values.ranks === undefined ? 1 : wholeNumber('ranks', values.ranks, 1)
  return explained(() => fabricText(modelOf(values, ranks)))
}

/** What is wrong with a fabric or a request is the user's business: one line, no stack. */
function explained(run: () => string): string {
  try {
    return run()
  } catch (error) {
    const known = [SimulationError, ImportError, TopologyError, AlgorithmError]
    if (known.some((kind) => error instanceof kind)) throw new UsageError((error as Error).message)
    throw error
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    const word = /Unknown option '-*([^']*)'/.exec((error as Error).message)?.[1]
    if (word === undefined) throw new UsageError(`simulate: ${(error as Error).message}`)
    const nearest = nearestName(word, Object.keys(OPTIONS))
    const hint = nearest ? `did you mean --${nearest}?` : 'mpiexec simulate --help lists all'
    throw new UsageError(`simulate has no option --${word}; ${hint}`)
  }
}

function collectiveOf([name, ...others]: readonly string[]): CollectiveName {
  if (name === undefined)
    throw new UsageError(`simulate what? One of ${COLLECTIVE_KINDS.join(', ')}`)
  if (others.length > 0)
    throw new UsageError(`simulate one collective at a time, not ${others[0]} too`)
  if (isCollective(name)) return name
  const nearest = nearestName(name, COLLECTIVE_KINDS)
  const hint = nearest ? `did you mean ${nearest}?` : `there are ${COLLECTIVE_KINDS.join(', ')}`
  throw new UsageError(`there is no collective ${name}; ${hint}`)
}

function checkAlgorithm(collective: CollectiveName, choice: string | undefined): void {
  if (choice === undefined) return
  const names = algorithmsOf(collective).map(({ name }) => name)
  if (collective === 'allreduce') names.push(inNetwork.name)
  const [name = ''] = choice.split(':')
  if (names.includes(name)) return
  const nearest = nearestName(name, names)
  const hint = nearest ? `did you mean ${nearest}?` : `it has ${names.join(', ')}`
  throw new UsageError(`${collective} has no algorithm ${name}; ${hint}`)
}

function modelOf(
  values: { fabric?: string; layer?: string; routing?: string; ppn?: string; placement?: string },
  ranks: number,
): FabricModel {
  const ppn = values.ppn === undefined ? undefined : wholeNumber('ppn', values.ppn, 1)
  const hosts = Math.ceil(ranks / (ppn ?? 1))
  const { fabric } = values
  const base = fabric === undefined ? usualFabric(hosts) : fabricNamed(fabric, hosts)
  const { routing, placement, layer } = values
  if (placement !== undefined && placement !== 'block' && placement !== 'round-robin') {
    throw new UsageError(`--placement is block or round-robin, not '${placement}'`)
  }
  if (layer !== undefined && layer !== '1' && layer !== '2') {
    throw new UsageError(`--layer is 1 or 2, not '${layer}'`)
  }
  return fabricModel({
    ...base,
    ...(ppn !== undefined && { ranksPerHost: ppn }),
    ...(placement !== undefined && { placement }),
    ...(layer !== undefined && { layer: layer === '1' ? 1 : 2 }),
    ...(routing !== undefined && {
      routing: routingNamed(base.routing.topology, routingOf(routing)),
    }),
  })
}

function routingOf(name: string): RoutingName {
  const found = ROUTING_NAMES.find((known) => known === name)
  if (found !== undefined) return found
  const nearest = nearestName(name, ROUTING_NAMES)
  const hint = nearest ? `did you mean ${nearest}?` : `there are ${ROUTING_NAMES.join(', ')}`
  throw new UsageError(`there is no routing ${name}; ${hint}`)
}

function bytesOf(text: string | undefined): number {
  if (text === undefined) return 8
  const bytes = parseSize(text)
  if (bytes === undefined) throw new UsageError(`--bytes needs ${SIZE_GRAMMAR}; it got '${text}'`)
  return bytes
}

function rankOf(text: string, ranks: number): number {
  const root = wholeNumber('root', text, 0)
  if (root < ranks) return root
  throw new UsageError(`--root ${root}: ranks are 0 to ${ranks - 1}`)
}

function wholeNumber(option: string, text: string, min: number): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= min) return number
  throw new UsageError(`--${option} needs a whole number from ${min}; it got '${text}'`)
}

function missing(option: string): never {
  throw new UsageError(`simulate needs ${option}, such as ${option} 1024`)
}
