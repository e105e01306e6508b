import type { Mpi } from '@commworld/mpi'
import { divergenceOf, DivergenceError, isEndedByFault } from '@commworld/mpi/inspect'
import type { NetworkFault } from '@commworld/transport'
import fc from 'fast-check'
import { networkFaults } from '../arbitraries/faults.js'
import { ranks as ranksArbitrary } from '../arbitraries/ranks.js'
import { type Schedule } from '../choices/schedule.js'
import { schedules, type ScheduleConstraints } from '../choices/schedules.js'
import { runWorld, type WorldRun, type WorldSettings } from '../worlds/run-world.js'
import { WorldArbitrary, type World } from './world-arbitrary.js'
import { WorldFailure } from './world-failure.js'
import type { Coverage } from '../oracles/coverage.js'

/** Worlds to try. */
export interface WorldsOptions<D> extends Omit<WorldSettings, 'schedule' | 'faults'> {
  /** A number, a range, or an arbitrary. Default 1 to 9. */
  readonly ranks?: number | { readonly min?: number; readonly max?: number } | fc.Arbitrary<number>
  /** What the program works on, drawn after the number of ranks. Default nothing. */
  readonly data?: fc.Arbitrary<D> | ((ranks: number) => fc.Arbitrary<D>)
  /** `'first come'`, constraints, or an arbitrary. Default schedules of all kinds. */
  readonly schedule?: 'first come' | ScheduleConstraints | fc.Arbitrary<Schedule>
  /**
   * What may go wrong below the library: a run may have some of these, or none, and its schedule
   * decides whether and when they strike. Whatever a lossy network does, results must be the same. A
   * run that a crash or a broken queue pair ends passes when it ends by that, and is not judged.
   */
  readonly faults?: readonly NetworkFault[] | fc.Arbitrary<readonly NetworkFault[]>
  /** Every how many runs one is repeated, to see that it does the same again; 0 never. Default 20. */
  readonly repeatEvery?: number
  /** Told of every run that ended well. */
  readonly coverage?: Coverage
}

/** A rank's part. What it throws fails the property. */
export type WorldProgram<D, R> = (mpi: Mpi, data: D) => R | Promise<R>

/** Judges what all ranks returned, by rank. What it throws, or `false`, fails the property. */
export type WorldJudge<D, R> = (
  values: readonly R[],
  world: World<D>,
  run: WorldRun<R>,
) => void | boolean | Promise<void | boolean>

const REPEAT_EVERY = 20

/**
 * A fast-check property over worlds: numbers of ranks, data and schedules around a program of yours.
 * The program runs on coroutines, so it uses i-forms and awaits them. It fails when a rank throws,
 * when ranks can never continue, when a message or a request is left over, and when the judge says so.
 *
 * Everything of fast-check works as usual: `seed`, `path`, `examples`, `numRuns`, `timeout`.
 *
 * @example
 * test('ranks add up', () =>
 *   fc.assert(
 *     forAllWorlds({ ranks: { max: 8 } }, async ({ world }) => {
 *       const sum = await world.iallreduce(world.rank, SUM)
 *       expect(sum).toBe((world.size * (world.size - 1)) / 2)
 *     }),
 *   ))
 */
export function forAllWorlds<D = undefined, R = unknown>(
  options: WorldsOptions<D>,
  main: WorldProgram<D, R>,
  judge?: WorldJudge<D, Awaited<R>>,
): fc.IAsyncPropertyWithHooks<[World<D>]> {
  const { repeatEvery = REPEAT_EVERY, coverage } = options
  let runs = 0
  return fc.asyncProperty(worldsOf(options), async (world) => {
    const run = await once(world, options, main)
    const { faults, failure } = run
    const thrown = failure && { thrown: failure.error, rank: failure.rank }
    if (!isEndedByFault({ faults, failure: thrown })) await judged(world, run, judge)
    coverage?.see(run)
    if (repeatEvery > 0 && ++runs % repeatEvery === 0) await repeated(world, run, options, main)
  })
}

/**
 * The worlds alone, for properties of your own.
 * @example
 * await fc.assert(
 *   fc.asyncProperty(worldsOf({ ranks: { max: 4 } }), async ({ ranks, schedule }) => {
 *     expect((await runWorld(ranks, main, { schedule })).failure).toBe(undefined)
 *   }),
 * )
 */
export function worldsOf<D>(options: WorldsOptions<D>): fc.Arbitrary<World<D>> {
  const { data = fc.constant(undefined as D) } = options
  const dataDepends = typeof data === 'function'
  return new WorldArbitrary({
    sizes: sizesOf(options.ranks),
    dataFor: dataDepends ? data : () => data,
    dataDepends,
    schedule: scheduleOf(options.schedule),
    faults: faultsOf(options.faults),
  })
}

function sizesOf(ranks: WorldsOptions<unknown>['ranks']): fc.Arbitrary<number> {
  if (ranks instanceof fc.Arbitrary) return ranks
  if (typeof ranks === 'number') return fc.constant(ranks)
  return ranksArbitrary(ranks)
}

function scheduleOf(schedule: WorldsOptions<unknown>['schedule']): fc.Arbitrary<Schedule> {
  if (schedule instanceof fc.Arbitrary) return schedule
  return schedules(schedule === 'first come' ? { kinds: [] } : schedule)
}

function faultsOf(
  faults: WorldsOptions<unknown>['faults'],
): fc.Arbitrary<readonly NetworkFault[]> | undefined {
  if (faults === undefined || faults instanceof fc.Arbitrary) return faults
  return networkFaults(faults)
}

async function once<D, R>(
  { ranks, data, schedule, faults }: World<D>,
  options: WorldsOptions<D>,
  main: WorldProgram<D, R>,
): Promise<WorldRun<Awaited<R>>> {
  const { timeoutMs, memoryBytes, eagerLimitBytes, algorithms, monitors, livenessSeconds } = options
  return (await runWorld(ranks, (mpi) => main(mpi, data), {
    schedule,
    ...defined({ timeoutMs, memoryBytes, eagerLimitBytes, algorithms, monitors }),
    ...defined({ livenessSeconds, faults }),
  })) as WorldRun<Awaited<R>>
}

/** Settings that are given; what is left out has a default elsewhere. */
function defined(settings: {
  [K in keyof WorldSettings]?: WorldSettings[K] | undefined
}): WorldSettings {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as WorldSettings
}

async function judged<D, R>(
  world: World<D>,
  run: WorldRun<R>,
  judge: WorldJudge<D, R> | undefined,
): Promise<void> {
  if (run.failure !== undefined) throw failureOf(world, run, run.failure.error, run.failure.rank)
  if (judge === undefined) return
  let verdict: void | boolean
  try {
    verdict = await judge(run.values, world, run)
  } catch (error) {
    throw failureOf(world, run, error, undefined)
  }
  if (verdict === false) throw failureOf(world, run, 'the judge said no', undefined)
}

async function repeated<D, R>(
  world: World<D>,
  run: WorldRun<Awaited<R>>,
  options: WorldsOptions<D>,
  main: WorldProgram<D, R>,
): Promise<void> {
  const again = await once(world, options, main)
  const divergence = divergenceOf(run.traces(), again.traces())
  if (divergence !== undefined) throw new DivergenceError(divergence)
}

function failureOf<D, R>(
  { ranks, data, schedule, faults }: World<D>,
  run: WorldRun<R>,
  error: unknown,
  rank: number | undefined,
): unknown {
  // A precondition of fast-check is no failure.
  if (fc.PreconditionFailure.isFailure(error)) return error
  const printed = data === undefined ? undefined : fc.stringify(data)
  return new WorldFailure({ ranks, schedule, faults, data: printed, error, rank, run })
}
