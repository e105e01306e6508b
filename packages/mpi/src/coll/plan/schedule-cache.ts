import type { Algorithm, Environment } from './algorithm.js'
import { checkBounds } from './bounds.js'
import { Schedule } from './schedule.js'

/** Schedules of one rank that were used last, of whatever communicator. */
export class ScheduleCache {
  readonly #kept: Schedule[] = []

  /**
   * The schedule for a call, recorded unless it was used lately.
   *
   * @throws AlgorithmError when it names ranks or blocks that are not there
   */
  find(algorithm: Algorithm, env: Environment, inPlace: boolean): Schedule {
    const kept = this.#kept
    for (let i = 0; i < kept.length; i++) {
      const schedule = kept[i]!
      if (
        schedule.algorithm === algorithm &&
        schedule.inPlace === inPlace &&
        sameCall(schedule.env, env)
      ) {
        if (i > 0) {
          kept[i] = kept[i - 1]!
          kept[i - 1] = schedule
        }
        return schedule
      }
    }
    const schedule = new Schedule(algorithm, env, inPlace)
    checkBounds(schedule)
    if (kept.length === KEPT_SCHEDULES) kept.pop()
    kept.push(schedule)
    return schedule
  }
}

const KEPT_SCHEDULES = 32

function sameCall(a: Environment, b: Environment): boolean {
  return (
    a.root === b.root &&
    a.blocks === b.blocks &&
    a.rank === b.rank &&
    a.size === b.size &&
    a.radix === b.radix &&
    a.slots === b.slots
  )
}
