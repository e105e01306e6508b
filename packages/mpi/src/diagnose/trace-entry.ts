import { OPERATION_NAMES, type OperationName } from '../record/operation.js'
import { TRACE_WORDS, type RankTrace } from '../record/trace.js'
import type { Locate } from './call-site.js'

/** One entry of a trace, read. */
export interface Entry {
  kind: number
  flags: number
  name: OperationName
  a: number
  b: number
  c: number
  site: number
  d: number
}

export function entryAt(trace: RankTrace, index: number): Entry {
  const at = index * TRACE_WORDS
  const word = (offset: number): number => trace.words[at + offset] ?? -1
  const head = word(0)
  return {
    kind: head & 0xff,
    flags: (head >> 8) & 0xff,
    name: OPERATION_NAMES[head >>> 16] ?? 'send',
    a: word(1),
    b: word(2),
    c: word(3),
    site: word(4),
    d: word(5),
  }
}

/** A trace whose stack texts are replaced by the sites they show. */
export function locateTrace(trace: RankTrace, locate: Locate): RankTrace {
  if (trace.sites === undefined) return trace
  return { ...trace, sites: trace.sites.map((stack) => locate(stack) ?? '') }
}

/** The site of an entry, when it was recorded. */
export function callSiteOfTrace(trace: RankTrace | undefined, index: number): string | undefined {
  const number = trace?.words[index * TRACE_WORDS + 4] ?? -1
  return number < 0 ? undefined : trace?.sites?.[number] || undefined
}
