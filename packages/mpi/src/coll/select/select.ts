import { SHARING_RANKS_MAX } from '../../device/board.js'
import { AlgorithmError, ArgumentError } from '../../errors/index.js'
import { unmet, type Algorithm } from '../plan/algorithm.js'
import { collectives, type CollectiveName } from '../plan/collective.js'
import { algorithmNamed, algorithmsOf } from './registry.js'
import { rules, type Rule } from './rules.js'

/** What the choice depends on: equal on all ranks. */
export interface Question {
  readonly collective: CollectiveName
  readonly size: number
  readonly values: boolean
  /** Of the vector or of a block, as the rules count; 0 of values and where it differs by rank. */
  readonly bytes: number
  readonly commutative: boolean
  readonly sharedMemory: boolean
  readonly knownBlocks: boolean
  readonly equalBlocks: boolean
}

/** An algorithm, and the radix it is to be used with. */
export interface Choice {
  readonly algorithm: Algorithm
  readonly radix: number
}

/** Algorithms named for a world: by collective, `name` or `name:radix`. */
export type NamedAlgorithms = Readonly<Partial<Record<CollectiveName, string>>>

/**
 * The algorithm for a call: the one named for it, or for the world where that can be used, or else
 * what the rules say.
 *
 * @throws AlgorithmError when the one named for the call is not there, or cannot be used for it
 * @throws ArgumentError when it is neither a name nor an algorithm
 */
export function select(
  question: Question,
  named: string | Algorithm | undefined,
  world: NamedAlgorithms,
): Choice {
  if (named !== undefined) {
    const choice =
      typeof named === 'string'
        ? parseChoice(question.collective, named)
        : givenChoice(question.collective, named)
    // One rank has nobody to share memory with, and nothing to do either: any algorithm serves.
    const alone = question.size === 1 && choice.algorithm.needs.sharedMemory === true
    const why = unmet(choice.algorithm, alone ? { ...question, sharedMemory: true } : question)
    if (why === undefined) return alone ? byRules(question) : choice
    throw new AlgorithmError({
      collective: question.collective,
      algorithm: choice.algorithm.name,
      problem: `cannot be used here: ${why}. ${usable(question)} can`,
    })
  }
  const forWorld = world[question.collective]
  if (forWorld !== undefined) {
    const choice = parseChoice(question.collective, forWorld)
    if (unmet(choice.algorithm, question) === undefined) return choice
  }
  return byRules(question)
}

/** An algorithm that a program brings along. */
function givenChoice(collective: CollectiveName, algorithm: Algorithm): Choice {
  if (typeof algorithm?.round !== 'function' || typeof algorithm.needs !== 'object') {
    const expected = 'a name, or an algorithm made by defineCollective'
    throw new ArgumentError({ argument: 'algorithm', seen: algorithm, expected })
  }
  if (algorithm.collective === collective) return { algorithm, radix: algorithm.radix ?? 0 }
  const problem = `is one of ${algorithm.collective}`
  throw new AlgorithmError({ collective, algorithm: algorithm.name, problem })
}

/**
 * Name of the algorithm that serves a call which names none.
 *
 * @param call.bytes of the vector; of a block for gather, scatter, allgather and alltoall
 * @param call.values a collective of values; of memory when left out
 * @example
 * selectAlgorithm('allreduce', { ranks: 64, bytes: 8, sharedMemory: false }) // 'recursive-doubling'
 */
export function selectAlgorithm(
  collective: CollectiveName,
  call: {
    readonly ranks: number
    readonly bytes: number
    readonly sharedMemory: boolean
    readonly commutative?: boolean
    readonly values?: boolean
  },
): string {
  const { ranks, bytes, sharedMemory, commutative = true, values = false } = call
  const question: Question = {
    collective,
    size: ranks,
    values,
    bytes: values ? 0 : bytes,
    commutative,
    sharedMemory: sharedMemory && ranks > 1 && ranks <= SHARING_RANKS_MAX,
    knownBlocks: true,
    equalBlocks: true,
  }
  return byRules(question).algorithm.name
}

/** The first line of the table that fits. */
function byRules(question: Question): Choice {
  for (const rule of rules[question.collective]) {
    if (!fits(rule, question)) continue
    const algorithm = algorithmNamed(question.collective, rule.use)!
    if (unmet(algorithm, question) === undefined) return { algorithm, radix: algorithm.radix ?? 0 }
  }
  // The tables end with what is always possible; v-forms leave only what knows its own blocks.
  const algorithm = algorithmsOf(question.collective).find(
    (one) => unmet(one, question) === undefined,
  )!
  return { algorithm, radix: algorithm.radix ?? 0 }
}

export function fits(rule: Rule, { size, bytes, sharedMemory, commutative }: Question): boolean {
  if (rule.shared !== undefined && rule.shared !== sharedMemory) return false
  if (rule.commutative === true && !commutative) return false
  if (rule.ranksBelow !== undefined && size >= rule.ranksBelow) return false
  return rule.bytesBelow === undefined || bytes < rule.bytesBelow
}

/**
 * `name` or `name:radix` of a collective.
 *
 * @throws AlgorithmError
 */
export function parseChoice(collective: CollectiveName, text: string): Choice {
  const [name = '', radixText] = String(text).split(':')
  const algorithm = algorithmNamed(collective, name)
  if (algorithm === undefined) {
    const problem = `is not there: there are ${algorithmsOf(collective)
      .map((one) => one.name)
      .join(', ')}`
    throw new AlgorithmError({ collective, algorithm: text, problem })
  }
  if (radixText === undefined) return { algorithm, radix: algorithm.radix ?? 0 }
  const radix = Number(radixText)
  if (algorithm.radix === undefined || !Number.isInteger(radix) || radix < 2 || radix > 64) {
    const problem = algorithm.radix === undefined ? 'has no radix' : 'needs a radix from 2 to 64'
    throw new AlgorithmError({ collective, algorithm: text, problem })
  }
  return { algorithm, radix }
}

/** Into how many blocks a vector is cut. */
export function blocksFor(
  { algorithm }: Choice,
  question: Question,
  slots: boolean,
  vector: { readonly bytes: number; readonly items: number },
): number {
  const { input, output } = collectives[question.collective]
  if (input !== 'vector' && output !== 'vector') return question.size
  if (algorithm.cut === undefined || slots || question.values) return 1
  const { size } = question
  return Math.max(1, algorithm.cut({ size, bytes: vector.bytes, elements: vector.items }))
}

function usable(question: Question): string {
  return algorithmsOf(question.collective)
    .filter((one) => unmet(one, question) === undefined)
    .map((one) => one.name)
    .join(', ')
}
