import type { WorldMonitor } from './world-monitor.js'
import type { RankSnapshot, RankWait } from '../../record/rank-snapshot.js'
import type { RankThread } from '../rank/rank-thread.js'
import { runningStacks } from './running-stacks.js'

/** What the ranks were doing at one moment, for a report. */
export interface Testimony {
  readonly waits: readonly RankWait[]
  /** Of the ranks that answered in time. */
  readonly snapshots: readonly RankSnapshot[]
  /** Where a thread was that carries all ranks, mapped to sources. */
  readonly stack?: string | undefined
}

/** When one rank fails, the others need a moment until they wait for it. */
const SETTLE_MS = 250
const SETTLE_POLL_MS = 5
/** A rank that sleeps in the library answers in a few milliseconds, unless the machine is busy. */
const ANSWER_MS = 1000

const ASLEEP: readonly RankWait['state'][] = ['blocked', 'awaiting', 'outside']

/** Finds out what ranks are doing: those that sleep are asked, those that run are stopped for a moment. */
export class Witness {
  readonly #monitor: WorldMonitor
  readonly #threads: readonly RankThread[]
  readonly #answers = new Map<number, RankSnapshot>()
  #missing = new Set<number>()
  #complete = () => {}

  constructor(monitor: WorldMonitor, threads: readonly RankThread[]) {
    this.#monitor = monitor
    this.#threads = threads
  }

  /** The answer of a rank that was asked. */
  answer(snapshot: RankSnapshot): void {
    this.#answers.set(snapshot.rank, snapshot)
    this.#missing.delete(snapshot.rank)
    if (this.#missing.size === 0) this.#complete()
  }

  /** After a rank ended: the others go on until they wait for it, or for longer than it pays to watch. */
  async settle(): Promise<void> {
    const until = performance.now() + SETTLE_MS
    const moving = () => ranksIn(this.#monitor.waits(), ['starting', 'running']).length > 0
    while (moving() && performance.now() < until) await pause(SETTLE_POLL_MS)
  }

  /**
   * `lines` says whether the positions of running ranks are wanted, which takes a debugger; `finished`
   * whether ranks are asked as well that have finished, or finish while they are waited for.
   */
  async hear({ lines = false, finished = false }): Promise<Testimony> {
    const waits = this.#monitor.waits()
    const asleep = ranksIn(waits, ASLEEP)
    const over = finished ? ranksIn(waits, [...ASLEEP, 'running', 'finished']) : []
    const [, running] = await Promise.all([
      this.#ask(asleep, over),
      lines ? this.runningSnapshots(ranksIn(waits, ['running'])) : [],
    ])
    return { waits, snapshots: [...this.#answers.values(), ...running] }
  }

  /** Of the thread that carries all ranks, whose states only itself knows. */
  async hearThread(): Promise<Testimony> {
    const thread = this.#threads[0]!
    const stack = (await runningStacks([thread.threadId])).get(thread.threadId)
    return { waits: [], snapshots: [], stack: stack && thread.mapped(stack) }
  }

  /** What little can be known of a rank that runs: where it is. */
  async runningSnapshots(ranks: readonly number[]): Promise<RankSnapshot[]> {
    const threads = ranks
      .map((rank) => this.#threads[rank]!)
      .filter((thread) => thread.threadId > 0)
    const stacks = await runningStacks(threads.map(({ threadId }) => threadId))
    return threads.flatMap((thread) => {
      const stack = stacks.get(thread.threadId)
      return stack === undefined ? [] : [runningSnapshot(thread.rank, thread.mapped(stack))]
    })
  }

  async #ask(asleep: readonly number[], over: readonly number[]): Promise<void> {
    const reachable = over.filter((rank) => this.#threads[rank]!.threadId > 0)
    this.#answers.clear()
    this.#missing = new Set([...asleep, ...reachable])
    if (this.#missing.size === 0) return
    for (const rank of asleep) this.#monitor.requestSnapshot(rank)
    for (const rank of reachable) this.#threads[rank]!.askForSnapshot()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ANSWER_MS)
      this.#complete = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

function ranksIn(waits: readonly RankWait[], states: readonly RankWait['state'][]): number[] {
  return waits.filter(({ state }) => states.includes(state)).map(({ rank }) => rank)
}

function runningSnapshot(rank: number, stack: string): RankSnapshot {
  return {
    rank,
    state: 'running',
    stack,
    waits: { mode: 'and', arcs: [] },
    posted: [],
    unexpected: [],
    pendingSends: [],
    openRequests: [],
    recent: [],
  }
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
}
