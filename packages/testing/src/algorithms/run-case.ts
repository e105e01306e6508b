import vm from 'node:vm'
import { Simulation, type Case, type Observer, type Violation } from '@commworld/mpi/inspect'
import type { Algorithm } from '@commworld/mpi/plan'
import { guarded, Misbehaviour, type Place } from './guarded.js'
import { fickleness } from './same-again.js'

/** What went wrong with an algorithm: what the simulation sees, and what never gets so far. */
export type FaultKind = Violation['kind'] | 'misbehaves' | 'endless' | 'not a function'

export interface CaseFault {
  readonly kind: FaultKind
  readonly rank: number | undefined
  /** A sentence. */
  readonly text: string
}

/** Runs one case; an algorithm that does not return within `timeoutMs` is stopped. */
export function runCase(
  algorithm: Algorithm,
  run: Case,
  { timeoutMs, observer }: { timeoutMs: number; observer?: Observer },
): CaseFault | undefined {
  const place: Place = { rank: 0, round: undefined }
  const simulate = (): CaseFault | undefined => {
    const watched = guarded(algorithm, place)
    return fickleness(watched, run) ?? new Simulation(watched, run, observer).run()
  }
  try {
    return withinTime(simulate, timeoutMs)
  } catch (error) {
    if (error instanceof Misbehaviour) {
      return { kind: 'misbehaves', rank: error.rank, text: error.message }
    }
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    const where = place.round === undefined ? '' : ` in round ${place.round}`
    const text = `rank ${place.rank}${where} does not return within ${timeoutMs} ms: an endless loop?`
    return { kind: 'endless', rank: place.rank, text }
  }
}

const call = new vm.Script('globalThis[Symbol.for("commworld.within-time")]()')
const KEY = Symbol.for('commworld.within-time')

/** Calls a function that does not await anything; interrupts it when its time is over. */
export function withinTime<T>(run: () => T, timeoutMs: number): T {
  // A script is what Node can interrupt; it finds what to call in the global object.
  const place = globalThis as { [KEY]?: () => T }
  const before = place[KEY]
  place[KEY] = run
  try {
    return call.runInThisContext({ timeout: timeoutMs }) as T
  } finally {
    if (before === undefined) delete place[KEY]
    else place[KEY] = before
  }
}
