import type { Algorithm, Environment } from './algorithm.js'
import { checkBounds } from './bounds.js'
import { Schedule } from './schedule.js'

/** Schedules of one rank that were used last, of whatever communicator. */
export class ScheduleCache {
  readonly #kept: Schedule[] = []
  readonly #isLibrarys: (algorithm: Algorithm) => boolean

  /** @param isLibrarys whether an algorithm is one of the library's own, which are the same in all worlds */
  constructor(isLibrarys: (algorithm: Algorithm) => boolean) {
    this.#isLibrarys = isLibrarys
  }

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
    const schedule = this.#isLibrarys(algorithm)
      ? librarysSchedule(algorithm, env, inPlace)
      : checkedSchedule(algorithm, env, inPlace)
    if (kept.length === KEPT_SCHEDULES) kept.pop()
    kept.push(schedule)
    return schedule
  }
}

const KEPT_SCHEDULES = 32

/** Operations of schedules that a thread keeps for worlds to come; 32 bytes each. */
const KEPT_OPS = 2 ** 18
/** Schedules of the library's algorithms, of whatever rank: tests make the same small worlds again and again. */
const librarys = new Map<string, Schedule>()
let librarysOps = 0

function librarysSchedule(algorithm: Algorithm, env: Environment, inPlace: boolean): Schedule {
  const { size, rank, root, blocks, radix, slots } = env
  const shape = `${rank} ${size} ${root} ${blocks} ${radix} ${slots} ${inPlace}`
  const key = `${algorithm.collective} ${algorithm.name} ${shape}`
  const known = librarys.get(key)
  if (known !== undefined) return known
  const schedule = checkedSchedule(algorithm, env, inPlace)
  librarysOps += 1 + (schedule.whole?.length ?? 0)
  if (librarysOps > KEPT_OPS) {
    librarys.clear()
    librarysOps = 1 + (schedule.whole?.length ?? 0)
  }
  librarys.set(key, schedule)
  return schedule
}

function checkedSchedule(algorithm: Algorithm, env: Environment, inPlace: boolean): Schedule {
  const schedule = new Schedule(algorithm, env, inPlace)
  checkBounds(schedule)
  return schedule
}

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
