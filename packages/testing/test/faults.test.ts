import { AbortedError, ANY_SOURCE, SUM, type Mpi } from '@commworld/mpi'
import {
  Coverage,
  CrashedError,
  describeFault,
  NETWORK_FAULTS,
  networkFaults,
  forAllWorlds,
  HARMLESS_FAULTS,
  LivenessError,
  outcomeFault,
  perform,
  programs,
  replayWorld,
  runWorld,
  scriptOf,
  UnreachableError,
  type WorldFailure,
} from '@commworld/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** Longer than is buffered: by rendezvous, whose READs are faulty, too. */
const LONG = 400

/** Round a ring, to rank 0, and a sum: every sort of message. */
async function main({ world }: Mpi): Promise<number[]> {
  const { rank, size } = world
  const [right, left] = [(rank + 1) % size, (rank + size - 1) % size]
  const taken = new Float64Array(LONG)
  const sent = world.isend(new Float64Array(LONG).fill(rank), { dest: right })
  await world.irecvInto(taken, { source: left })
  await sent
  let sum = 0
  if (rank > 0) await world.isend(rank, { dest: 0, tag: 1 })
  else
    for (let i = 1; i < size; i++) sum += await world.irecv<number>({ source: ANY_SOURCE, tag: 1 })
  return [taken[0]!, taken[LONG - 1]!, sum, await world.iallreduce(rank, SUM)]
}

function expected(size: number): number[][] {
  const all = (size * (size - 1)) / 2
  return Array.from({ length: size }, (_, rank) => {
    const left = (rank + size - 1) % size
    return [left, left, rank === 0 ? all : 0, all]
  })
}

describe('faults', () => {
  test('below the reliable transport never change a result', async () => {
    const coverage = new Coverage()
    await fc.assert(
      forAllWorlds(
        { ranks: { max: 5 }, faults: HARMLESS_FAULTS, coverage },
        main,
        (values, { ranks }) => expect(values).toEqual(expected(ranks)),
      ),
      { numRuns: 80 },
    )
    coverage.demand(...HARMLESS_FAULTS, 'contended wildcard', 'rendezvous', 'unexpected message')
  })

  test('leave programs of all sorts as they are', async () => {
    const coverage = new Coverage()
    await fc.assert(
      forAllWorlds(
        { ranks: { max: 4 }, data: (size) => programs(size), faults: HARMLESS_FAULTS, coverage },
        perform,
        (outcomes, { data }) => expect(outcomeFault(data, outcomes)).toBe(undefined),
      ),
      { numRuns: 30 },
    )
    coverage.demand('loss')
  })

  test('that end a job end it by themselves', async () => {
    const coverage = new Coverage()
    await fc.assert(
      forAllWorlds({ ranks: { min: 2, max: 4 }, faults: NETWORK_FAULTS, coverage }, main),
      { numRuns: 70 },
    )
    coverage.demand('crash', 'queuePairError')
  })

  test('are in the replay string, and shrink to the one that matters', async () => {
    const lossless = forAllWorlds(
      { ranks: { min: 2, max: 4 }, faults: HARMLESS_FAULTS },
      main,
      (_, __, { faults }) => faults.every(({ kind }) => kind !== 'loss'),
    )
    const details = await fc.check(lossless, { seed: 3, numRuns: 1000 })
    expect(details.counterexample).toMatchObject([{ ranks: 2, faults: ['loss'] }])
    const { deviations, message, replay } = details.errorInstance as WorldFailure
    expect(deviations).toMatchObject([{ label: 'loss' }])
    expect(message).toContain('was lost')
    expect(message).toContain(`replayWorld(2, main, '${replay}', { faults: ['loss'] })`)
    const again = await replayWorld(2, main, replay, { faults: ['loss'] })
    expect(again.faults).toMatchObject([{ kind: 'loss' }])
  })

  test('let the messages of other pairs overtake', async () => {
    const order = async ({ world }: Mpi): Promise<number[]> => {
      if (world.rank === 0) {
        await world.isend(0, { dest: 2 })
        await world.isend(0, { dest: 1 })
      }
      if (world.rank === 1) await world.isend(await world.irecv<number>({ source: 0 }), { dest: 2 })
      if (world.rank < 2) return []
      const sources: number[] = []
      for (let i = 0; i < 2; i++) {
        const request = world.irecv({ source: ANY_SOURCE })
        await request
        sources.push(Number(request.status.source))
      }
      return sources
    }
    const faults = ['reorder'] as const
    expect((await runWorld(3, order, { faults })).values[2]).toEqual([0, 1])
    expect((await replayWorld(3, order, '0=1', { faults })).values[2]).toEqual([1, 0])
  })

  test('a crash is told first, and wakes everybody else', async () => {
    const woken: unknown[] = []
    const run = await runWorld(
      3,
      async (mpi) => {
        try {
          for (;;) await main(mpi)
        } catch (error) {
          woken.push(error)
          throw error
        }
      },
      { faults: ['crash'], schedule: scriptOf('0=2,1=20') },
    )
    expect(run.failure).toMatchObject({ rank: 1, error: { rank: 1 } })
    expect(run.failure!.error).toBeInstanceOf(CrashedError)
    expect(run.faults.map(describeFault)).toEqual([expect.stringContaining('rank 1 crashed at')])
    expect(woken).toHaveLength(2)
    for (const error of woken) {
      expect(error).toBeInstanceOf(AbortedError)
      expect(error).toMatchObject({ origin: 1 })
    }
    expect((await runWorld(3, main)).values).toEqual(expected(3))
  })

  test('a broken queue pair ends the job, with the rank that cannot be reached', async () => {
    const run = await replayWorld(2, main, '0=2', { faults: ['queuePairError'] })
    expect(run.failure!.error).toBeInstanceOf(UnreachableError)
    expect(String(run.failure!.error)).toMatch(/rank [01] cannot be reached: .*retryExceeded/)
  })
})

describe('liveness', () => {
  test('a world that goes on for ever after its last fault is ended', async () => {
    const run = await runWorld(
      2,
      async ({ world }) => {
        const other = 1 - world.rank
        for (let turn = 0; ; turn++) {
          const sent = world.isend(turn, { dest: other })
          await world.irecv({ source: other })
          await sent
        }
      },
      { faults: ['loss'], schedule: scriptOf('0=3'), livenessSeconds: 0.2 },
    )
    expect(run.failure!.error).toBeInstanceOf(LivenessError)
    expect(String(run.failure!.error)).toMatch(
      /has not ended 0\.2 s of virtual time after the last of its 1 faults/,
    )
  })

  test('a world whose ranks wait for each other is a deadlock, whatever was lost', async () => {
    const run = await runWorld(
      2,
      async ({ world }) => void (await world.irecv({ source: 1 - world.rank })),
      { faults: ['loss'], schedule: scriptOf('0=1') },
    )
    expect(run.failure!.error).toMatchObject({ name: 'DeadlockError' })
  })
})

test('networkFaults shrinks to none', () => {
  const { counterexample } = fc.check(
    fc.property(networkFaults(), () => false),
    { seed: 1 },
  )
  expect(counterexample).toEqual([[]])
})

test('runWorld refuses faults that there are not', async () => {
  await expect(runWorld(2, main, { faults: ['lost' as never] })).rejects.toThrow('`faults`')
})
