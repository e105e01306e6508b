import { TRACE_WORDS, type RankTrace } from '../record/trace.js'
import type { Locate } from './call-site.js'

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
