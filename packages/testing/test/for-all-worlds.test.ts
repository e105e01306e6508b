import { ANY_SOURCE, SUM, type Mpi } from '@commworld/mpi'
import {
  Coverage,
  CoverageError,
  forAllWorlds,
  replayWorld,
  WorldFailure,
} from '@commworld/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** Rank 0 takes what comes and believes that it comes in order of rank. */
async function believesInOrder({ world }: Mpi): Promise<void> {
  const { rank, size } = world
  if (rank !== 0) return void (await world.isend(rank, { dest: 0 }))
  for (let next = 1; next < size; next++) {
    const seen = await world.irecv<number>({ source: ANY_SOURCE })
    if (seen !== next) throw new Error(`rank ${seen} came where ${next} was expected`)
  }
}

async function failureOf(property: fc.IAsyncProperty<[unknown]>, seed: number) {
  const details = await fc.check(property, { seed, numRuns: 300 })
  expect(details.failed).toBe(true)
  return details
}

describe('forAllWorlds', () => {
  test('passes for a program that is right under all schedules', async () => {
    const coverage = new Coverage()
    await fc.assert(
      forAllWorlds({ ranks: { max: 6 }, coverage }, async ({ world }) => {
        const { rank, size } = world
        if (rank !== 0) return void (await world.isend(rank, { dest: 0 }))
        let sum = 0
        for (let i = 1; i < size; i++) sum += await world.irecv<number>({ source: ANY_SOURCE })
        expect(sum).toBe((size * (size - 1)) / 2)
      }),
    )
    coverage.demand('contended wildcard', 'deviation', 'several ranks')
  })

  test('shrinks to the fewest ranks and one deviation from first come', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { counterexample, errorInstance } = await failureOf(
        forAllWorlds({}, believesInOrder),
        seed,
      )
      expect(counterexample).toMatchObject([{ ranks: 3 }])
      const failure = errorInstance as WorldFailure
      expect(failure).toBeInstanceOf(WorldFailure)
      expect(failure.deviations).toHaveLength(1)
      expect(failure.message).toContain('rank 2 came where 1 was expected')
      expect(failure.message).toContain(
        `mpiexec -n 3 --in-process --choices '${failure.replay}' program.ts`,
      )
      const again = await replayWorld(3, believesInOrder, failure.replay)
      expect(String(again.failure?.error)).toContain('rank 2 came where 1 was expected')
    }
  })

  test('shrinks within a few hundred runs, data that depends on the number of ranks, too', async () => {
    for (const seed of [1, 2, 3]) {
      let runs = 0
      const property = forAllWorlds(
        {
          ranks: { max: 6 },
          data: (size) => fc.array(fc.nat(9), { minLength: size, maxLength: size }),
        },
        async (mpi, data) => {
          const { rank, size } = mpi.world
          if (rank > 0) return void (await mpi.world.isend(data[rank]!, { dest: 0 }))
          runs++
          const got: number[] = []
          for (let i = 1; i < size; i++)
            got.push(await mpi.world.irecv<number>({ source: ANY_SOURCE }))
          expect(got).toEqual(data.slice(1))
        },
      )
      const { counterexample } = await failureOf(property, seed)
      expect(counterexample).toMatchObject([{ ranks: 3 }])
      expect(runs).toBeLessThan(800)
    }
  })

  test('is replayed by seed and path of fast-check', async () => {
    const first = await failureOf(forAllWorlds({}, believesInOrder), 7)
    const path = first.counterexamplePath!
    const again = await fc.check(forAllWorlds({}, believesInOrder), {
      seed: 7,
      path,
      endOnFailure: true,
    })
    expect(again.failed).toBe(true)
    expect(again.counterexample).toEqual(first.counterexample)
  })

  test('takes examples, data by number of ranks, and a judge of what all returned', async () => {
    const lengths = new Set<number>()
    const property = forAllWorlds(
      {
        ranks: { min: 2, max: 4 },
        data: (size) => fc.array(fc.nat(9), { minLength: size, maxLength: size }),
      },
      async ({ world }, data) => await world.iallreduce(data[world.rank]!, SUM),
      (sums, { data, ranks }) => {
        lengths.add(data.length - ranks)
        const sum = data.reduce((a, b) => a + b)
        expect(sums).toEqual(data.map(() => sum))
      },
    )
    await fc.assert(property, {
      examples: [[{ ranks: 2, data: [1, 2], schedule: { kind: 'first come' } }]],
      numRuns: 30,
    })
    expect([...lengths]).toEqual([0])
  })

  test('fails with the picture of a deadlock, and goes on afterwards', async () => {
    const stuck = forAllWorlds({ ranks: { max: 4 } }, async ({ world }) => {
      if (world.size === 1) return
      if (world.rank === world.size - 1) await world.irecv({ source: 0, tag: 9 })
      else if (world.rank === 0) await world.isend(1, { dest: world.size - 1, tag: 8 })
    })
    const { counterexample, errorInstance } = await failureOf(stuck, 5)
    expect(counterexample).toEqual([
      { ranks: 2, data: undefined, schedule: { kind: 'first come' } },
    ])
    const { message } = errorInstance as WorldFailure
    expect(message).toContain('DeadlockError')
    expect(message).toMatch(/irecv\(src 0, tag 9, world\) .*for-all-worlds\.test\.ts:\d+/)
    expect(message).toContain('isend, tag 8: not received')
    await fc.assert(
      forAllWorlds({ ranks: 2 }, async () => {}),
      { numRuns: 5 },
    )
  })

  test('says that a program is not a function of its choices', async () => {
    let calls = 0
    const unsteady = forAllWorlds({ ranks: 2, repeatEvery: 1 }, async ({ world }) => {
      const tag = calls++ % 4 < 2 ? 1 : 2
      if (world.rank === 0) await world.isend(1, { dest: 1, tag })
      else await world.irecv({ source: 0 })
    })
    const { errorInstance } = await failureOf(unsteady, 1)
    expect(String(errorInstance)).toMatch(
      /call 0 of rank 0 was isend to 1 with tag 1 in one run and isend to 1 with tag 2 in the next.*Math\.random/,
    )
  })

  test('stops a rank that never awaits anything, says where, and goes on', async () => {
    const endless = forAllWorlds({ ranks: 2, timeoutMs: 1500 }, async ({ world }) => {
      await world.ibarrier()
      if (world.rank === 1) for (;;);
    })
    const details = await fc.check(endless, { numRuns: 1, endOnFailure: true })
    expect(String(details.errorInstance)).toMatch(
      /EndlessLoopError.*It was stopped here:\n.*for-all-worlds/s,
    )
    await fc.assert(forAllWorlds({ ranks: 2 }, async ({ world }) => void (await world.ibarrier())))
  })

  test('gives up a world that waits for something outside', async () => {
    const outside = forAllWorlds({ ranks: 2, timeoutMs: 60 }, async ({ world }) => {
      if (world.rank === 0) await new Promise((resolve) => setTimeout(resolve, 5000).unref())
      else await world.irecv({ source: 0 })
    })
    const details = await fc.check(outside, { numRuns: 1, endOnFailure: true })
    expect(String(details.errorInstance)).toContain('ranks 0 wait for something outside')
  })
})

describe('Coverage', () => {
  test('fails a test that never reached its state', async () => {
    const coverage = new Coverage()
    await fc.assert(
      forAllWorlds({ ranks: 1, coverage }, async () => {}),
      { numRuns: 3 },
    )
    expect(() => coverage.demand('several ranks', 'wildcard')).toThrow(CoverageError)
    expect(() => coverage.demand('wildcard')).toThrow('3 runs never reached: wildcard')
  })
})

describe('replayWorld', () => {
  test('refuses a script that does not fit', async () => {
    const main = async ({ world }: Mpi): Promise<number> => await world.iallreduce(1, SUM)
    await expect(replayWorld(2, main, '9999=1')).rejects.toThrow('choice 9999 was not made')
    await expect(replayWorld(2, main, '0=7')).rejects.toThrow('choice 0 has no alternative 7')
    await expect(replayWorld(2, main, '5=')).rejects.toThrow('expected a number')
    expect((await replayWorld(2, main, '0=1')).values).toEqual([2, 2])
  })
})
