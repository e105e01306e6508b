import type { RankSnapshot, RankState, RankWait } from '../record/rank-snapshot.js'
import { agree, ranksOf } from './describe.js'
import { describeNearMiss, nearMisses, type NearMiss } from './near-miss.js'
import { adviceOnCore, adviceOnNearMiss, forgottenRequests, type Advice } from './remarks.js'
import type { Evidence, Report } from './report.js'
import { Scene } from './scene.js'
import { smallestCore, type Core } from './smallest-core.js'
import { findDeadlock, hasEnded, peersOf } from './wait-graph.js'
import { merged, waitingEvidence } from './waiting-words.js'

/**
 * - DL01: ranks that wait for each other.
 * - DL02: ranks that wait for one that has finished or failed.
 * - TS02: a rank that awaits something that is no request and that nothing can settle any more.
 */
export interface DeadlockReport extends Report {
  code: 'DL01' | 'DL02' | 'TS02'
  /** All ranks that can never continue. */
  deadlocked: readonly number[]
  core: Core
  nearMisses: readonly NearMiss[]
}

/** How many near misses a text shows; the data holds all. */
const MOST_NEAR_MISSES = 3

/**
 * The report on ranks that can never continue, or undefined when there are none.
 *
 * @param waits the graph, of one consistent reading (transition counters unchanged around it)
 * @param snapshots located ones ('locateSnapshot') of as many ranks as answered
 */
export function deadlockReport(
  waits: readonly RankWait[],
  snapshots: readonly RankSnapshot[] = [],
): DeadlockReport | undefined {
  const deadlocked = findDeadlock(waits)
  const core = smallestCore(deadlocked, waits)
  if (core === undefined) return undefined
  const scene = new Scene(waits, snapshots)
  const shown = shownRanks(core, deadlocked, scene)
  const misses = nearMisses(scene, deadlocked)
  const code = codeOf(core, scene)
  const advice = adviceOn(core, misses, scene)
  const report: DeadlockReport = {
    code,
    severity: 'error',
    verdict: verdictOf(code, shown, deadlocked, scene),
    evidence: evidenceOf(shown, scene),
    remarks: [
      ...misses
        .slice(0, MOST_NEAR_MISSES)
        .map((miss) => ({ label: 'near miss', text: describeNearMiss(miss) })),
      ...advice.remarks,
      ...forgottenRequests(core, scene),
    ],
    deadlocked,
    core,
    nearMisses: misses,
  }
  const behind = deadlocked.filter((rank) => !shown.includes(rank))
  if (behind.length > 0) {
    report.also = { title: 'stuck behind them:', evidence: evidenceOf(behind, scene) }
  }
  if (advice.suggestion !== undefined) report.suggestion = advice.suggestion
  return report
}

/** A near miss is the likeliest cause; without one the shape of the core may tell. */
function adviceOn(core: Core, misses: readonly NearMiss[], scene: Scene): Advice {
  const onCore = adviceOnCore(core, scene)
  const [likeliest] = misses
  if (likeliest === undefined) return onCore
  const advice = adviceOnNearMiss(likeliest, scene)
  return { ...onCore, ...advice, remarks: [...advice.remarks] }
}

function codeOf(core: Core, scene: Scene): DeadlockReport['code'] {
  if (core.shape !== 'ended') return 'DL01'
  return core.ranks.every((rank) => scene.arcs(rank).length === 0) ? 'TS02' : 'DL02'
}

/** The core; when it waits for an ended rank, everybody who does so in the same way. */
function shownRanks(core: Core, deadlocked: readonly number[], scene: Scene): readonly number[] {
  if (core.shape !== 'ended') return core.ranks
  const alike = deadlocked.filter((rank) => endedPartners(rank, scene).length > 0)
  return core.ranks.every((rank) => alike.includes(rank)) ? alike : core.ranks
}

/** The ended ranks that by themselves keep this rank from going on. */
function endedPartners(rank: number, scene: Scene): number[] {
  const wait = scene.wait(rank)
  if (wait === undefined) return []
  const byArc = wait.arcs.map((arc) => {
    const peers = peersOf(arc, rank, scene.ranks)
    const ended = peers.filter((peer) => hasEnded(scene.state(peer)))
    const alternatives =
      arc.peer === 'any' && peers.some((peer) => !ended.includes(peer) && peer !== rank)
    return alternatives ? [] : ended
  })
  return wait.mode === 'or' && byArc.some((ended) => ended.length === 0) ? [] : byArc.flat()
}

function evidenceOf(ranks: readonly number[], scene: Scene): Evidence[] {
  return merged(ranks.map((rank) => waitingEvidence(rank, scene)))
}

function verdictOf(
  code: DeadlockReport['code'],
  shown: readonly number[],
  deadlocked: readonly number[],
  scene: Scene,
): string {
  const who = ranksOf(shown)
  if (code === 'TS02') {
    return `${who} ${agree(shown, 'awaits', 'await')} a promise that nothing can settle any more`
  }
  if (code === 'DL02') {
    const gone = [...new Set(shown.flatMap((rank) => endedPartners(rank, scene)))]
    return `${who} ${agree(shown, 'waits', 'wait')} for ${ranksOf(gone)}, which ${agree(gone, 'has', 'have')} ${fateOf(gone, scene)}`
  }
  const others = scene.ranks.filter((rank) => !deadlocked.includes(rank))
  const rest = restOf(others, scene)
  return `deadlock: ${ranksOf(deadlocked)} can never continue${rest ? ` (${rest})` : ''}`
}

function fateOf(gone: readonly number[], scene: Scene): string {
  const failed = gone.some((rank) => scene.state(rank) === 'failed')
  const finished = gone.some((rank) => scene.state(rank) === 'finished')
  return failed && finished ? 'ended' : failed ? 'failed' : 'finished'
}

const STATE_WORDS: Readonly<Record<RankState, readonly [string, string]>> = {
  starting: ['is starting', 'are starting'],
  running: ['is running', 'are running'],
  blocked: ['waits and can go on', 'wait and can go on'],
  awaiting: ['awaits and can go on', 'await and can go on'],
  outside: ['is busy outside of MPI', 'are busy outside of MPI'],
  finished: ['has finished', 'have finished'],
  failed: ['has failed', 'have failed'],
}

/** `ranks 2 and 3 have finished, rank 4 is running`. */
function restOf(others: readonly number[], scene: Scene): string {
  return (Object.keys(STATE_WORDS) as RankState[])
    .flatMap((state) => {
      const ranks = others.filter((rank) => scene.state(rank) === state)
      const [one, several] = STATE_WORDS[state]
      return ranks.length > 0 ? `${ranksOf(ranks)} ${agree(ranks, one, several)}` : []
    })
    .join(', ')
}
