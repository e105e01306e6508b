import { AbortedError, DeadlockError, TimeoutError, LeftoverError } from '@commworld/mpi'
import {
  createWorld,
  DivergenceError,
  FIRST_COME,
  scriptOf,
  ThreadRunError,
} from '@commworld/testing'
import { afterAll, describe, expect, test } from 'vitest'

const program = new URL('./programs/pooled.ts', import.meta.url)
const RANKS = 3
const world = createWorld({ ranks: RANKS, timeoutMs: 3000 })
afterAll(() => world.close())

async function failureOf(what: string): Promise<ThreadRunError> {
  const error: unknown = await world.run(program, [what]).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ThreadRunError)
  // The next run is unharmed.
  expect((await world.run(program, ['sum'])).values).toEqual([3, 3, 3])
  return error as ThreadRunError
}

describe('createWorld', () => {
  test('runs a program with plain verbs many times, with arguments', async () => {
    for (let step = 0; step < 20; step++) {
      const { values, residue } = await world.run<number>(program, ['sum', step])
      expect([values, residue]).toEqual([Array(RANKS).fill(3 * step), []])
    }
  })

  test('replays a serial run from its replay string', async () => {
    const orders = new Set<string>()
    for (let seed = 0; seed < 12; seed++) {
      const schedule = { kind: 'pct', seed, depth: 2, events: 20, from: 0, until: 99 } as const
      const { values, replay } = await world.run<number[]>(program, ['order'], { schedule })
      orders.add(String(values[0]))
      const again = await world.run<number[]>(program, ['order'], { schedule: scriptOf(replay) })
      expect([again.values[0], again.replay]).toEqual([values[0], replay])
    }
    expect([...orders].toSorted()).toEqual(['1,2', '2,1'])
  })

  test('lets others run while ranks poll, whatever their priorities', async () => {
    for (let seed = 0; seed < 8; seed++) {
      const schedule = { kind: 'pct', seed, depth: 1, events: 20, from: 0, until: 999 } as const
      const { values } = await world.run(program, ['poll'], { schedule })
      expect(values).toEqual([0, 1, undefined])
    }
  })

  test('tells an error of a rank', async () => {
    const error = await failureOf('throw')
    expect(error).toMatchObject({
      rank: 1,
      message: 'with 3 ranks at rank 1: RangeError: on purpose',
    })
    expect(error.cause).toBeInstanceOf(RangeError)
  })

  test('tells a deadlock', async () => {
    const { cause } = await failureOf('deadlock')
    expect(cause).toBeInstanceOf(DeadlockError)
    expect(String(cause)).toContain('ranks 0-2 can never continue')
  })

  test('tells what was left over', async () => {
    expect((await failureOf('leftover')).cause).toBeInstanceOf(LeftoverError)
  })

  test('ends an endless loop, says where it was, and replaces the thread', async () => {
    const { cause } = await failureOf('endless')
    expect(cause).toBeInstanceOf(TimeoutError)
    expect(String(cause)).toContain('rank 0 is running')
    expect(cause).not.toBeInstanceOf(AbortedError)
  })

  test('finds what a program leaves in its thread, and gives the next run a new one', async () => {
    const { values, residue } = await world.run(program, ['global'])
    expect(values).toEqual([1, 1, 1])
    expect(residue).toContain('the program left the global variable leftBehind')
    expect((await world.run(program, ['global'])).values).toEqual([1, 1, 1])
  })

  test('says that a program is not a function of its choices', async () => {
    const options = { schedule: FIRST_COME, twice: true }
    await world.run(program, ['order'], options)
    await expect(world.run(program, ['random'], options)).rejects.toThrow(DivergenceError)
  })

  test('refuses what it cannot run', async () => {
    expect(() => createWorld({ ranks: 0 })).toThrow('`ranks`')
    await expect(world.run('nowhere.ts')).rejects.toThrow('nowhere.ts')
  })
})
