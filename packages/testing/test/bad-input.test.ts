// What a program or a test gets wrong ends with a message that says so, and the next run is unharmed.

import { spawnSync } from 'node:child_process'
import { local, SUM, type Mpi } from '@commworld/mpi'
import {
  assertAssociative,
  createWorld,
  EndlessLoopError,
  forAllLaws,
  forAllWorlds,
  laws,
  OperationLawError,
  replayWorld,
  runWorld,
  ScriptError,
} from '@commworld/testing'
import { defineCollective, IN, OUT } from '@commworld/mpi/plan'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, test } from 'vitest'

const sum = async ({ world }: Mpi): Promise<number> => await world.iallreduce(world.rank, SUM)

/** After each of them. */
async function expectUnharmed(): Promise<void> {
  expect(await local(3, sum)).toEqual([3, 3, 3])
  expect(await runWorld(3, sum)).toMatchObject({ values: [3, 3, 3], failure: undefined })
}
afterEach(expectUnharmed)

async function thrownBy(promise: Promise<unknown>): Promise<Error> {
  return await promise.then(
    () => expect.fail('it ended well'),
    (error: unknown) => error as Error,
  )
}

describe('a program that never yields', () => {
  test('is stopped by local, which says where', async () => {
    const error = await thrownBy(
      local(
        2,
        async ({ world }) => {
          await world.ibarrier()
          if (world.rank === 1) for (;;);
        },
        { timeoutMs: 1000 },
      ),
    )
    expect(error).toBeInstanceOf(EndlessLoopError)
    expect(error.message).toMatch(/has not awaited anything .*stopped here:\n.*bad-input/s)
  })

  test('polls in vain, and is told so at the poll', async () => {
    const error = await thrownBy(
      local(2, async ({ world }) => {
        const request = world.irecv({ source: 1 - world.rank })
        while (!request.test());
      }),
    )
    expect(error.message).toContain('said no 10001 times in a row')
  })
})

describe('a program that waits for something outside', () => {
  const outside = async ({ world }: Mpi): Promise<void> => {
    if (world.rank === 0) await new Promise((resolve) => setTimeout(resolve, 60_000).unref())
    else await world.irecv({ source: 0 })
  }

  test('is given up, with the ranks that do', async () => {
    const words = /did not end within 300 ms: ranks 0 wait for something outside .*ranks 1 await/
    expect((await thrownBy(local(2, outside, { timeoutMs: 300 }))).message).toMatch(words)
    const run = await runWorld(2, outside, { timeoutMs: 300 })
    expect(String(run.failure!.error)).toMatch(words)
    const property = forAllWorlds({ ranks: 2, timeoutMs: 300 }, outside)
    const { errorInstance } = await fc.check(property, { numRuns: 1, endOnFailure: true })
    expect(String(errorInstance)).toMatch(words)
  })

  test('is told so when nothing can come any more', () => {
    const program = `
      import { local } from '@commworld/mpi'
      await local(2, ({ world }) => world.rank === 0 && new Promise(() => {}))`
    const { stderr, status } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { encoding: 'utf8', timeout: 20_000 },
    )
    expect(stderr).toContain('the world can never end: ranks 0 wait for something outside of it')
    expect(status).toBe(1)
  })
})

describe('a choice script that does not fit', () => {
  const misfit = /choices 9999=1 do not fit this program: choice 9999 was not made: there were \d+/

  test('is refused where a run is replayed', async () => {
    for (const replay of [
      () => replayWorld(2, sum, '9999=1'),
      () => local(2, sum, { choices: '9999=1' }),
      () => local(2, sum, { choices: '9999=1', faults: ['loss'] }),
    ]) {
      const error = await thrownBy(replay())
      expect(error).toBeInstanceOf(ScriptError)
      expect(error.message).toMatch(misfit)
    }
    await expect(local(2, sum, { choices: '0=9' })).rejects.toThrow('no alternative 9')
    await expect(local(2, sum, { choices: '0' })).rejects.toThrow("expected '='")
  })

  const world = createWorld({ ranks: 2 })
  afterAll(() => world.close())

  test('is refused by threads', async () => {
    const program = new URL('./programs/pooled.ts', import.meta.url)
    await expect(world.run(program, ['sum'], { replay: '9999=1' })).rejects.toThrow(misfit)
    expect((await world.run(program, ['sum'], { replay: '' })).values).toEqual([1, 1])
  })
})

describe('an operation that is not associative', () => {
  const minus = (a: number, b: number): number => a - b

  test('is refused by a law that needs one, with the operands', () => {
    const law = laws.find(({ associative }) => associative)!
    expect(() => forAllLaws(law, { combine: minus })).toThrow(OperationLawError)
    expect(() => assertAssociative(minus, [1, 2, 3])).toThrow(
      /minus is not associative.*gives -?\d+ when the first two are folded first/,
    )
  })

  test('is no matter to a law that folds nothing', async () => {
    const law = laws.find(({ associative }) => !associative)!
    await fc.assert(forAllLaws(law, { combine: minus, ranks: { max: 3 } }), { numRuns: 5 })
  })
})

describe('an algorithm that reads out of its blocks', () => {
  test('is refused in a real world, before anything moves', async () => {
    const beyond = defineCollective({
      collective: 'bcast',
      name: 'beyond',
      title: 'beyond its blocks',
      source: 'this test',
      use: 'never',
      cost: 'none',
      needs: {},
      rounds: () => 1,
      volume: () => 0,
      round(_, __, emit) {
        emit.copy(IN, 7, OUT, 0)
      },
    })
    const error = await thrownBy(
      local(2, async ({ world, alloc }) => {
        const data = alloc(Float64Array, 4).fill(world.rank)
        await world.ibcastInto(data, { root: 0, algorithm: beyond })
      }),
    )
    expect(error.name).toBe('AlgorithmError')
    expect(error.message).toContain('`copy` of rank 0 uses block 7 of IN, which has')
  })
})
