import type { Case } from '@commworld/mpi/inspect'
import type { Algorithm } from '@commworld/mpi/plan'
import type { FaultKind } from './run-case.js'

/** What is wrong with an algorithm, in the smallest case in which it shows. */
export interface AlgorithmFault {
  readonly kind: FaultKind
  readonly algorithm: Algorithm
  /** Ranks, root, blocks and the rest of the case. */
  readonly run: Case
  /** The rank at which it shows. */
  readonly rank: number | undefined
  /** A sentence. */
  readonly summary: string
  /** All that is known, with a drawing: what `assertAlgorithm` prints. */
  readonly text: string
  /** How many cases were right before. */
  readonly casesBefore: number
}

/** Thrown by `assertAlgorithm`; the message is the whole text. */
export class AlgorithmFaultError extends Error {
  override readonly name = 'AlgorithmFaultError'
  readonly fault: AlgorithmFault

  constructor(fault: AlgorithmFault) {
    super(fault.text)
    this.fault = fault
  }
}

/** What each kind means, for those who see it for the first time. */
const MEANINGS: Readonly<Record<FaultKind, string>> = {
  'wrong result': 'a rank ends with something else than the collective is defined to give',
  'different trees':
    'all ranks must fold by one tree, or floating-point results differ from rank to rank',
  'input written': 'the input belongs to the caller and is only read',
  'nothing there': 'a block is read before anything was put there',
  'lengths differ': 'a message is received into blocks of another length',
  'message left': 'every message must be received, and every receive answered',
  deadlock: 'with sends that wait for their receivers, as long ones do, nobody can go on',
  race: 'two ranks use a block at the same time, and one of them writes: nothing orders them',
  'too early': 'nobody may leave a barrier before all have come',
  rounds: 'the longest chain of messages is longer than `rounds` says',
  volume: 'the busiest rank moves another number of blocks than `volume` says',
  'out of range': 'there is no such block, or no such rank',
  'out of reach': 'of a peer only what it publishes can be reached',
  misbehaves: 'the function of the algorithm failed by itself',
  'not a function':
    'calls repeat a round, and ranks do not share variables: it must say the same whenever it is asked',
  endless: 'the function of the algorithm must return',
}

export function faultText(
  algorithm: Algorithm,
  run: Case,
  { kind, text }: { kind: FaultKind; text: string },
  { lines, casesBefore }: { lines: readonly string[]; casesBefore: number },
): string {
  const { collective, name } = algorithm
  return [
    `${collective} by ${name}: ${kind} with ${caseWords(algorithm, run)}`,
    '',
    `  ${text}`,
    `  (${MEANINGS[kind]})`,
    '',
    ...lines.map((line) => line.replace(/^(?=.)/gm, '  ')),
    '',
    `  ${casesBefore} smaller case${casesBefore === 1 ? ' was' : 's were'} right. Again:`,
    `  checkAlgorithm(${camel(name)}, ${again(run)})`,
  ].join('\n')
}

function caseWords(algorithm: Algorithm, run: Case): string {
  const words = [`${run.size} rank${run.size === 1 ? '' : 's'}`]
  if (run.root > 0) words.push(`root ${run.root}`)
  if (algorithm.cut !== undefined) words.push(`${run.blocks} block${run.blocks === 1 ? '' : 's'}`)
  if (algorithm.radix !== undefined) words.push(`radix ${run.radix}`)
  if (run.slots) words.push('slots')
  if (run.inPlace) words.push('in place')
  return words.join(', ')
}

function again({ size, root, blocks, radix }: Case): string {
  const parts = [`ranks: [${size}]`, `roots: [${root}]`, `blocks: [${blocks}]`]
  if (radix > 0) parts.push(`radices: [${radix}]`)
  return `{ ${parts.join(', ')} }`
}

function camel(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
