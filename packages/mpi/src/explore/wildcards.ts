import { entryAt, type Entry } from '../diagnose/trace-entry.js'
import { TraceFlag, TraceKind, type RankTrace } from '../record/trace.js'

/** A receive from any source: who it took a message of, and who else had one for it. */
export interface WildcardPoint {
  readonly rank: number
  /** The how manieth of its rank. */
  readonly nth: number
  /** The operation: `irecv`. */
  readonly name: string
  readonly tag: number
  readonly took: number
  /** Other ranks whose message it could have taken. */
  readonly alternatives: readonly number[]
}

interface Taken {
  readonly index: number
  readonly entry: Entry
}

/** The receives from any source of a run. */
export function wildcardsOf(traces: readonly RankTrace[]): WildcardPoint[] {
  return traces.flatMap((trace) => {
    const taken = receivesOf(trace)
    let nth = 0
    return taken.flatMap(({ index, entry }) => {
      if ((entry.flags & TraceFlag.choice) === 0) return []
      const { name, d: tag, a: took, c: context } = entry
      const others = new Set<number>()
      for (const sender of traces) {
        if (sender.rank === took) continue
        if (couldSend(sender, trace.rank, { tag, context, index, taken })) others.add(sender.rank)
      }
      const alternatives = [...others].sort((a, b) => a - b)
      return [{ rank: trace.rank, nth: nth++, name, tag, took, alternatives }]
    })
  })
}

/** How the wildcards of a run were matched, as a text: runs that match alike are alike. */
export function matchingOf(traces: readonly RankTrace[]): string {
  return wildcardsOf(traces)
    .map(({ rank, nth, took }) => `${rank}.${nth}<${took}`)
    .join(' ')
}

/** Receives and probes that got a message, in the order of the program. */
function receivesOf(trace: RankTrace): Taken[] {
  const taken: Taken[] = []
  for (let index = 0; index < trace.length; index++) {
    const entry = entryAt(trace, index)
    if (entry.kind === TraceKind.receive && entry.a >= 0) taken.push({ index, entry })
  }
  return taken
}

/** Whether a sender had a message for a receive that no earlier receive took. */
function couldSend(
  sender: RankTrace,
  rank: number,
  wanted: { tag: number; context: number; index: number; taken: readonly Taken[] },
): boolean {
  const earlier = new Set(
    wanted.taken
      .filter(({ index, entry }) => index < wanted.index && entry.a === sender.rank)
      .map(({ entry }) => entry.b),
  )
  for (let index = 0; index < sender.length; index++) {
    const { kind, a: dest, b: number, c: context, d: tag } = entryAt(sender, index)
    if (kind !== TraceKind.send || dest !== rank || context !== wanted.context) continue
    if ((wanted.tag < 0 || tag === wanted.tag) && !earlier.has(number)) return true
  }
  return false
}
