import type { NetworkFault } from '@commworld/transport'
import fc from 'fast-check'
import { FIRST_COME, scriptOf, type Schedule } from '../choices/schedule.js'

/** One world of a property, as fast-check prints it. */
export interface World<D> {
  readonly ranks: number
  readonly data: D
  readonly schedule: Schedule
  /** Kinds of faults that may happen, where a property has any. */
  readonly faults?: readonly NetworkFault[]
}

/** What worlds are drawn from. */
export interface WorldParts<D> {
  readonly sizes: fc.Arbitrary<number>
  readonly dataFor: (ranks: number) => fc.Arbitrary<D>
  /** Whether data is drawn anew for another number of ranks. */
  readonly dataDepends: boolean
  readonly schedule: fc.Arbitrary<Schedule>
  readonly faults: fc.Arbitrary<readonly NetworkFault[]> | undefined
}

interface Drawn<D> {
  readonly ranks: fc.Value<number>
  readonly data: fc.Value<D>
  readonly schedule: fc.Value<Schedule>
  readonly faults: fc.Value<readonly NetworkFault[]> | undefined
  /** As it was before the data was drawn. */
  readonly random: fc.Random
  readonly bias: number | undefined
  /** Numbers of ranks that a bigger world than this was not seen to fail with. */
  readonly sound: ReadonlySet<number>
  /** Whether nothing is left to be made of the numbers of ranks, and of the data. */
  readonly fewest: boolean
  readonly plainest: boolean
}

/**
 * Worlds. A schedule is tied to the number of ranks and to the data, so those could seldom shrink
 * under the schedule that failed: with each smaller world some simple schedules are tried as well.
 */
export class WorldArbitrary<D> extends fc.Arbitrary<World<D>> {
  readonly #parts: WorldParts<D>

  constructor(parts: WorldParts<D>) {
    super()
    this.#parts = parts
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<World<D>> {
    const { sizes, dataFor, schedule, faults } = this.#parts
    const ranks = sizes.generate(random, bias)
    const before = random.clone()
    const data = dataFor(ranks.value).generate(random, bias)
    return worldOf({
      ranks,
      data,
      schedule: schedule.generate(random, bias),
      faults: faults?.generate(random, bias),
      random: before,
      bias,
      sound: new Set(),
      fewest: false,
      plainest: false,
    })
  }

  canShrinkWithoutContext(_value: unknown): _value is World<D> {
    return false
  }

  shrink(_world: World<D>, context: unknown): fc.Stream<fc.Value<World<D>>> {
    if (context === undefined) return fc.Stream.nil()
    return new fc.Stream(this.#smaller(context as Drawn<D>))
  }

  *#smaller(drawn: Drawn<D>): Smaller<D> {
    const { faults } = this.#parts
    const current = drawn.schedule.value
    if (faults !== undefined && drawn.faults !== undefined) {
      for (const fewer of faults.shrink(drawn.faults.value, drawn.faults.context)) {
        yield* withSchedules({ ...drawn, faults: fewer }, SIMPLE.slice(0, FEW))
      }
    }
    if (current.kind !== 'first come') yield worldOf({ ...drawn, schedule: plain(FIRST_COME) })
    // What was tried with a world like this has passed, and is not tried again.
    if (!drawn.fewest) yield* this.#fewerRanks(drawn)
    const fewest = { ...drawn, fewest: true }
    if (!drawn.plainest) yield* this.#plainerData(fewest)
    yield* this.#simplerSchedule({ ...fewest, plainest: true })
  }

  *#fewerRanks(drawn: Drawn<D>): Smaller<D> {
    const { sizes, dataFor, dataDepends } = this.#parts
    const sound = new Set(drawn.sound)
    for (const ranks of sizes.shrink(drawn.ranks.value, drawn.ranks.context)) {
      if (sound.has(ranks.value)) continue
      const fewer = { ...drawn, ranks, sound: new Set(sound) }
      if (!dataDepends) {
        yield* withSchedules(fewer, SIMPLE)
      } else {
        const random = drawn.random.clone()
        const datas = Array.from({ length: DRAWS }, () => {
          return dataFor(ranks.value).generate(random, drawn.bias)
        })
        yield* withSchedules({ ...fewer, data: datas[0]! }, SIMPLE)
        for (const data of datas.slice(1))
          yield* withSchedules({ ...fewer, data }, SIMPLE.slice(0, FEW))
      }
      sound.add(ranks.value)
    }
  }

  *#plainerData(drawn: Drawn<D>): Smaller<D> {
    const ofData = this.#parts.dataFor(drawn.ranks.value)
    for (const data of ofData.shrink(drawn.data.value, drawn.data.context)) {
      yield* withSchedules({ ...drawn, data }, SIMPLE.slice(0, FEW))
    }
  }

  *#simplerSchedule(drawn: Drawn<D>): Smaller<D> {
    const current = drawn.schedule.value
    for (const simpler of this.#parts.schedule.shrink(current, drawn.schedule.context)) {
      yield worldOf({ ...drawn, schedule: simpler })
    }
    if (current.kind !== 'first come' && !isSingle(current)) {
      for (const simple of SIMPLE) yield worldOf({ ...drawn, schedule: plain(simple) })
    }
  }
}

type Smaller<D> = IterableIterator<fc.Value<World<D>>>

/** One deviation, somewhere near the beginning: what most faults of small worlds need. */
const SIMPLE: readonly Schedule[] = Array.from({ length: 24 }, (_, index) => scriptOf(`${index}=1`))
const FEW = 8
/** Data that are drawn for each smaller number of ranks: one may be too plain to fail. */
const DRAWS = 3

function* withSchedules<D>(
  drawn: Drawn<D>,
  others: readonly Schedule[],
): Iterable<fc.Value<World<D>>> {
  yield worldOf(drawn)
  if (drawn.schedule.value.kind === 'first come') return
  for (const schedule of others) yield worldOf({ ...drawn, schedule: plain(schedule) })
}

function isSingle(schedule: Schedule): boolean {
  return schedule.kind === 'script' && !schedule.choices.includes(',')
}

function plain<T>(value: T): fc.Value<T> {
  return new fc.Value(value, undefined)
}

function worldOf<D>(drawn: Drawn<D>): fc.Value<World<D>> {
  const world = {
    ranks: drawn.ranks.value,
    data: drawn.data.value,
    schedule: drawn.schedule.value,
    ...(drawn.faults && { faults: drawn.faults.value }),
  }
  return new fc.Value(world, drawn)
}
