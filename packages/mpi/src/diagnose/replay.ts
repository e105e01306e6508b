import { TraceFlag, TraceKind, type RankTrace } from '../record/trace.js'
import { getOrPut, MessageIndex } from './message-index.js'
import { entryAt, type Entry } from './trace-entry.js'

/**
 * The abstract replay: would the run have ended if no send were buffered?
 *
 * Each rank's cursor walks its trace. A post always advances. A wait, and a blocking operation,
 * advances once the other side has been reached: a send's matching receive is posted, a receive's or
 * probe's message is sent, the members a collective needs have entered it. Every condition stays true
 * once it is, so the order of walking does not matter, and the walk is linear in the trace.
 *
 * What lies beyond a trace that stopped at its limit is unknown; whoever depends on it is `unknown`
 * too, never stuck.
 */

export type Ending =
  /** It reached the end of its trace. */
  | 'finished'
  /** It needs something no trace tells: a stopped trace, or a send that nobody received. */
  | 'unknown'
  /** It waits for ranks that have not come so far. */
  | 'stuck'

/** Where a rank's cursor stands when nobody can advance any more. */
export interface Frontier {
  rank: number
  ending: Ending
  /** Index of the entry it stands at. */
  cursor: number
  /** The post it waits for; the entry itself, unless that is a wait. */
  post: number
  /** The ranks it waits for. */
  peers: readonly number[]
  /** In the first peer's trace, the entry it would have to reach; -1 where there is no single one. */
  counterpart: number
}

export interface Replay {
  frontier: readonly Frontier[]
  /** Whether the run chose anywhere up to the frontier: then it holds for the observed choices only. */
  chose: boolean
  /** Whether some collective did not need all of its members: then `synchronising` may differ. */
  loose: boolean
}

/**
 * Replays one run.
 *
 * @param traces of all ranks of the world
 * @param synchronising whether every collective waits for all of its members, as it may
 */
export function replay(
  traces: readonly RankTrace[],
  { synchronising = false }: { synchronising?: boolean } = {},
): Replay {
  return new Walk(traces, synchronising).run()
}

/** The entry another rank must reach. */
interface Place {
  rank: number
  index: number
}

/** What an entry needs: places that are reached, a meeting that is complete, or what no trace tells. */
type Need = readonly Place[] | Meeting | 'unknown'

/** One collective, told by the traces of its members. */
interface Meeting {
  /** By rank, the entry that enters it. */
  entries: Map<number, number>
  size: number
  /** How many members' cursors have come to it. */
  arrived: number
  /** Ranks that stopped until all have come. */
  waiters: number[]
}

const NOTHING: Need = []

class Walk {
  readonly #traces: readonly RankTrace[]
  readonly #traceOf = new Map<number, RankTrace>()
  readonly #synchronising: boolean
  /** Entries posted by each rank: all before its cursor, and the one it stands at. */
  readonly #reached = new Map<number, number>()
  readonly #cursor = new Map<number, number>()
  readonly #sends = new MessageIndex()
  readonly #receives = new MessageIndex()
  readonly #meetings = new Map<number, Meeting[]>()
  /** Ranks whose cursor may be able to advance. */
  readonly #work: number[] = []
  /** By rank, those that stopped because it had not come far enough. */
  readonly #waiters = new Map<number, Set<number>>()
  #loose = false

  constructor(traces: readonly RankTrace[], synchronising: boolean) {
    this.#traces = traces
    this.#synchronising = synchronising
    for (const trace of traces) {
      this.#traceOf.set(trace.rank, trace)
      this.#reached.set(trace.rank, 0)
      this.#cursor.set(trace.rank, 0)
      this.#waiters.set(trace.rank, new Set())
      for (let index = 0; index < trace.length; index++) this.#enlist(trace, index)
    }
  }

  run(): Replay {
    this.#work.push(...this.#traces.map((trace) => trace.rank))
    for (let rank = this.#work.pop(); rank !== undefined; rank = this.#work.pop()) {
      if (!this.#advance(rank)) continue
      const waiters = this.#waiters.get(rank)
      this.#work.push(...(waiters ?? []))
      waiters?.clear()
    }
    const frontier = this.#traces.map((trace) => this.#frontierOf(trace))
    return { frontier, chose: this.#chose(), loose: this.#loose }
  }

  #enlist(trace: RankTrace, index: number): void {
    const { kind, flags, a, b, c, d } = entryAt(trace, index)
    if (kind === TraceKind.send) this.#sends.add(trace.rank, a, b, index)
    if (kind === TraceKind.receive && a >= 0) this.#receives.add(a, trace.rank, b, index)
    if (kind !== TraceKind.collective) return
    if ((flags & TraceFlag.everybody) === 0) this.#loose = true
    const ofContext = getOrPut(this.#meetings, b, () => [])
    const meeting = (ofContext[c] ??= { entries: new Map(), size: d, arrived: 0, waiters: [] })
    meeting.entries.set(trace.rank, index)
  }

  #meetingOf({ b: context, c: nth }: Entry): Meeting | undefined {
    return this.#meetings.get(context)?.[nth]
  }

  /** Moves the cursor as far as it goes; says whether it posted anything new. */
  #advance(rank: number): boolean {
    const trace = this.#traceOf.get(rank) as RankTrace
    const before = this.#reached.get(rank) ?? 0
    let cursor = this.#cursor.get(rank) ?? 0
    for (; cursor < trace.length; cursor++) {
      this.#reach(trace, cursor)
      if (!this.#passes(trace, cursor)) break
    }
    this.#cursor.set(rank, cursor)
    return (this.#reached.get(rank) ?? 0) > before
  }

  /** Whether the cursor may leave the entry; if not, the rank is put where it will be woken. */
  #passes(trace: RankTrace, cursor: number): boolean {
    const needs = this.#needsAt(trace, cursor)
    if (needs === 'unknown') return false
    if ('waiters' in needs) {
      if (needs.arrived === needs.size) return true
      needs.waiters.push(trace.rank)
      return false
    }
    const missing = needs.find((need) => !this.#hasReached(need))
    if (missing !== undefined) this.#waiters.get(missing.rank)?.add(trace.rank)
    return missing === undefined
  }

  #reach(trace: RankTrace, index: number): void {
    if (index < (this.#reached.get(trace.rank) ?? 0)) return
    this.#reached.set(trace.rank, index + 1)
    const entry = entryAt(trace, index)
    const meeting = entry.kind === TraceKind.collective ? this.#meetingOf(entry) : undefined
    if (meeting === undefined || ++meeting.arrived < meeting.size) return
    this.#work.push(...meeting.waiters.splice(0))
  }

  #hasReached({ rank, index }: Place): boolean {
    return (this.#reached.get(rank) ?? 0) > index
  }

  /** What must have been reached before the entry is passed. */
  #needsAt(trace: RankTrace, index: number): Need {
    const entry = entryAt(trace, index)
    if (entry.kind === TraceKind.wait) return this.#needsOf(trace, entry.a)
    return (entry.flags & TraceFlag.blocking) === 0 ? NOTHING : this.#needsOf(trace, index)
  }

  #needsOf(trace: RankTrace, post: number): Need {
    const entry = entryAt(trace, post)
    const { kind, flags, a, b } = entry
    if (kind === TraceKind.collective) return this.#needsOfCollective(trace.rank, entry)
    if (kind === TraceKind.send) {
      if ((flags & TraceFlag.buffered) !== 0) return NOTHING
      return one(a, this.#receives.find(trace.rank, a, b))
    }
    // A receive that matched nothing was cancelled, or else its wait would not have ended.
    return a < 0 ? NOTHING : one(a, this.#sends.find(a, trace.rank, b))
  }

  #needsOfCollective(rank: number, entry: Entry): Need {
    const { flags, a: root } = entry
    const meeting = this.#meetingOf(entry)
    if (meeting === undefined) return 'unknown'
    const everybody = this.#synchronising || (flags & TraceFlag.everybody) !== 0
    if (everybody || ((flags & TraceFlag.toRoot) !== 0 && rank === root)) {
      return meeting.entries.size < meeting.size ? 'unknown' : meeting
    }
    if ((flags & TraceFlag.fromRoot) === 0 || rank === root) return NOTHING
    return one(root, meeting.entries.get(root))
  }

  #frontierOf(trace: RankTrace): Frontier {
    const { rank, length, complete } = trace
    const cursor = this.#cursor.get(rank) ?? 0
    const nothing = { rank, cursor, post: cursor, peers: [], counterpart: -1 }
    if (cursor >= length) return { ...nothing, ending: complete ? 'finished' : 'unknown' }
    const needs = this.#needsAt(trace, cursor)
    if (needs === 'unknown') return { ...nothing, ending: 'unknown' }
    const missing = placesOf(needs).filter((need) => !this.#hasReached(need))
    const entry = entryAt(trace, cursor)
    return {
      rank,
      cursor,
      post: entry.kind === TraceKind.wait ? entry.a : cursor,
      ending: 'stuck',
      peers: missing.map((need) => need.rank),
      counterpart: missing[0]?.index ?? -1,
    }
  }

  #chose(): boolean {
    return this.#traces.some((trace) => {
      const end = Math.min(trace.length, this.#reached.get(trace.rank) ?? 0)
      for (let index = 0; index < end; index++) {
        if ((entryAt(trace, index).flags & TraceFlag.choice) !== 0) return true
      }
      return false
    })
  }
}

function placesOf(needs: readonly Place[] | Meeting): readonly Place[] {
  if (!('waiters' in needs)) return needs
  return [...needs.entries].map(([rank, index]) => ({ rank, index }))
}

function one(rank: number, index: number | undefined): Need {
  return index === undefined ? 'unknown' : [{ rank, index }]
}
