import type { Algorithm } from '../plan/algorithm.js'
import { collectives, type CollectiveName } from '../plan/collective.js'
import { rules, type Rule } from './rules.js'

/** A line of the table: which algorithm, and for which calls, as the end of a sentence. */
export interface RuleInWords {
  readonly use: string
  /** `below 2 KiB`, `of reductions that commute`; `otherwise` in the last line. */
  readonly when: string
}

/** The table of a collective, up to the line that fits every call. */
export function rulesInWords(collective: CollectiveName): readonly RuleInWords[] {
  const lines = rules[collective].map((rule) => ({ use: rule.use, when: conditionsOf(rule) }))
  const last = lines.findIndex(({ when }) => when === 'otherwise')
  return last < 0 ? lines : lines.slice(0, last + 1)
}

/** What the bytes of the table are bytes of; undefined where nothing is carried. */
export function measuredBy(collective: CollectiveName): 'the vector' | 'a block' | undefined {
  const { input, output, reduces } = collectives[collective]
  if (output === 'none') return undefined
  return input === 'vector' || output === 'vector' || reduces ? 'the vector' : 'a block'
}

/** What an algorithm needs, in words; none when it serves every call. */
export function needsInWords({ needs, cut, wholeInSlots }: Algorithm): readonly string[] {
  const words: string[] = []
  if (needs.sharedMemory) words.push('ranks that share memory')
  if (needs.commutative) words.push('a reduction that commutes')
  if (needs.powerOfTwo) words.push('a power of two of ranks')
  if (needs.evenSize) words.push('an even number of ranks')
  if (needs.sizeMin !== undefined) words.push(`at least ${needs.sizeMin} ranks`)
  if (needs.knownBlocks) words.push('blocks whose lengths all ranks know')
  if (needs.equalBlocks) words.push('blocks of one length')
  if (cut !== undefined && !wholeInSlots) words.push('memory: values are not cut')
  return words
}

function conditionsOf({ shared, commutative, ranksBelow, bytesBelow }: Rule): string {
  const words: string[] = []
  if (shared === true) words.push('ranks that share memory')
  if (shared === false) words.push('ranks that do not share memory')
  if (bytesBelow !== undefined) words.push(`below ${sizeInWords(bytesBelow)}`)
  if (ranksBelow !== undefined) words.push(`fewer than ${ranksBelow} ranks`)
  if (commutative === true) words.push('reductions that commute')
  return words.length === 0 ? 'otherwise' : words.join(', ')
}

function sizeInWords(bytes: number): string {
  if (bytes >= 2 ** 20 && bytes % 2 ** 20 === 0) return `${bytes / 2 ** 20} MiB`
  if (bytes >= 2 ** 10 && bytes % 2 ** 10 === 0) return `${bytes / 2 ** 10} KiB`
  return `${bytes} bytes`
}
