import { entryAt, TraceFlag, TraceKind } from '@commworld/mpi/inspect'
import { NETWORK_FAULTS, type NetworkFault } from '@commworld/transport'
import type { WorldRun } from '../worlds/run-world.js'

/** States that a run can have reached. */
export type State =
  /** A receive from any source, a probe or a test decided something. */
  | 'wildcard'
  /** The same, while other ranks sent to the same receiver as well. */
  | 'contended wildcard'
  | 'collective'
  | 'point-to-point'
  /** A choice was not first come. */
  | 'deviation'
  /** A message came before its receive was posted. */
  | 'unexpected message'
  /** A payload was read out of the sender's memory. */
  | 'rendezvous'
  /** A run with so many ranks. */
  | 'several ranks'
  /** A fault of this kind has struck. */
  | NetworkFault

const STATES: readonly State[] = [
  'wildcard',
  'contended wildcard',
  'collective',
  'point-to-point',
  'deviation',
  'unexpected message',
  'rendezvous',
  'several ranks',
  ...NETWORK_FAULTS,
]

/** What coverage looks at of a run. */
type SeenRun = Pick<WorldRun<unknown>, 'traces' | 'deviations' | 'ranks' | 'faults' | 'ways'>

/** A property passed, but never reached what it was written for. */
export class CoverageError extends Error {
  override readonly name = 'CoverageError'
  readonly missing: readonly string[]

  constructor(missing: readonly string[], runs: number) {
    super(
      `${runs} runs never reached: ${missing.join(', ')}. The property says nothing about that: ` +
        `draw other data, more ranks or other schedules, or run it more often.`,
    )
    this.missing = missing
  }
}

/**
 * Counts what runs reach: a test that never gets to the interesting state proves nothing.
 *
 * @example
 * const coverage = new Coverage()
 * await fc.assert(forAllWorlds({ coverage }, main))
 * coverage.demand('several ranks', 'deviation')
 */
export class Coverage {
  readonly #counts = new Map<string, number>()
  #runs = 0

  /** Looks at a run; `forAllWorlds` does it for each. */
  see(run: SeenRun): void {
    this.#runs++
    if (run.ranks > 1) this.reach('several ranks')
    if (run.deviations.length > 0) this.reach('deviation')
    if (run.ways.unexpected > 0) this.reach('unexpected message')
    if (run.ways.rendezvous > 0) this.reach('rendezvous')
    for (const state of statesIn(run)) this.reach(state)
    for (const kind of new Set(run.faults.map((fault) => fault.kind))) this.reach(kind)
  }

  /** Counts a state of your own, or one of those above. */
  reach(state: State | (string & {})): void {
    this.#counts.set(state, this.count(state) + 1)
  }

  count(state: State | (string & {})): number {
    return this.#counts.get(state) ?? 0
  }

  /** How often each state was reached. */
  get counts(): Readonly<Record<string, number>> {
    const known = STATES.map((state) => [state, this.count(state)] as const)
    return Object.fromEntries([...known, ...this.#counts])
  }

  /** @throws {CoverageError} one of these states was never reached */
  demand(...states: readonly (State | (string & {}))[]): void {
    const missing = states.filter((state) => this.count(state) === 0)
    if (missing.length > 0) throw new CoverageError(missing, this.#runs)
  }
}

function statesIn({ traces }: Pick<WorldRun<unknown>, 'traces'>): Set<State> {
  const states = new Set<State>()
  const senders = new Map<number, Set<number>>()
  const wildcards = new Set<number>()
  for (const trace of traces()) {
    for (let index = 0; index < trace.length; index++) {
      const { kind, flags, a } = entryAt(trace, index)
      if (kind === TraceKind.collective) states.add('collective')
      if (kind === TraceKind.send) {
        states.add('point-to-point')
        senders.set(a, (senders.get(a) ?? new Set()).add(trace.rank))
      }
      if ((flags & TraceFlag.choice) === 0) continue
      states.add('wildcard')
      wildcards.add(trace.rank)
    }
  }
  for (const rank of wildcards) {
    if ((senders.get(rank)?.size ?? 0) > 1) states.add('contended wildcard')
  }
  return states
}
