import { ANY_SOURCE, type Mpi } from '@commworld/mpi'
import { explore, matchingOf, runLocal, wildcardsOf } from '@commworld/mpi/inspect'
import type { Exploration, RunTrial } from '@commworld/mpi/inspect'
import { formatChoices, parseChoices } from '@commworld/transport'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { minimize } from '../../src/explore/minimize.js'
import { parseExplore } from '../../src/launch/command/explore-command.js'

const RANKS = 4

function trialOf(main: (mpi: Mpi) => Promise<void>): RunTrial {
  return async (plan) => {
    const run = await runLocal(RANKS, main, plan, { quietMs: 10 })
    const { deviations, choicesMade, failure } = run
    const title = String(failure?.thrown)
    const failed = failure && { title, text: title }
    return { failure: failed, deviations, choicesMade, traces: run.traces() }
  }
}

/** Rank 0 takes three messages and fails when `judge` says so of the order in which they came. */
function taking(judge: (order: string) => boolean): (mpi: Mpi) => Promise<void> {
  return async ({ world }) => {
    if (world.rank !== 0) return void (await world.isend(world.rank, { dest: 0 }))
    let order = ''
    for (let i = 1; i < RANKS; i++) order += await world.irecv<number>({ source: ANY_SOURCE })
    if (judge(order)) throw new Error(`the order ${order}`)
  }
}

async function exploring(judge: (order: string) => boolean): Promise<Exploration> {
  return await explore(trialOf(taking(judge)), { runs: 300, budgetMs: 20_000 })
}

describe('explore', () => {
  test('tries all ways in which three messages can be taken, and fails none', async () => {
    const { failures, matchings, points } = await exploring(() => false)
    expect([failures, matchings]).toEqual([[], 6])
    expect(points.map(({ took, alternatives, tried }) => [took, alternatives, tried])).toEqual([
      [1, [2, 3], [2, 3]],
      [2, [3], [3]],
      [3, [], []],
    ])
  })

  test('finds each wrong order, by as few deviations as it needs', async () => {
    const expected: Record<string, number> = { '123': 0, '132': 1, '213': 1, '312': 1, '321': 3 }
    for (const [wrong, deviations] of Object.entries(expected)) {
      const { failures } = await exploring((order) => order === wrong)
      expect(failures.map(({ title }) => title)).toEqual([`Error: the order ${wrong}`])
      expect(failures[0]!.deviations.length).toBeLessThanOrEqual(deviations)
    }
  })
})

test('a program that is not a function of its choices is told where it first differs', async () => {
  let runs = 0
  const run = trialOf(async ({ world }) => {
    const tag = world.rank === 0 ? runs++ % 2 : 0
    if (world.rank === 0) await world.isend(1, { dest: 1, tag })
    if (world.rank === 1) await world.irecv({ source: 0 })
  })
  const { divergence } = await explore(run, { runs: 3 })
  expect(divergence).toEqual({
    ...{ rank: 0, call: 0 },
    ...{ first: 'isend to 1 with tag 0', second: 'isend to 1 with tag 1' },
  })
})

describe('minimize', () => {
  /** A run that only says which choices it was given. */
  const fails = (isWrong: (values: Map<number, number>) => boolean): RunTrial => {
    return async (plan) => {
      const pairs = parseChoices('choices' in plan ? plan.choices : '')
      const deviations = pairs.map(([index, value]) => ({
        ...{ index, value, label: 'run', alternatives: 9 },
      }))
      const failure = isWrong(new Map(pairs)) ? { title: 'wrong', text: 'wrong' } : undefined
      return { failure, deviations, choicesMade: 100, traces: [] }
    }
  }

  test('finds the pairs that matter, with the smallest values', async () => {
    const pair = fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 8 }))
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(pair, { minLength: 3, maxLength: 20, selector: ([index]) => index }),
        fc.integer({ min: 1, max: 3 }),
        async (pairs, count) => {
          const needed = pairs.slice(0, count)
          const least = needed.map(([index, value]) => [index, Math.ceil(value / 2)] as const)
          const run = fails((seen) => least.every(([at, value]) => (seen.get(at) ?? 0) >= value))
          const failing = await run({ choices: formatChoices(pairs) })
          const { trial, reproduces } = await minimize(run, failing, 'wrong')
          expect(formatChoices(trial.deviations.map(({ index, value }) => [index, value]))).toBe(
            formatChoices(least),
          )
          expect(reproduces).toBe(true)
        },
      ),
    )
  })

  test('says of what fails only now and then that it does', async () => {
    let runs = 0
    const unsteady = fails(() => runs++ === 0)
    const failing = await unsteady({ choices: '3=1' })
    expect(await minimize(unsteady, failing, 'wrong')).toMatchObject({ reproduces: false })
  })
})

test('preferring has a wildcard take the message of the rank that it prefers', async () => {
  const run = trialOf(taking(() => false))
  expect(matchingOf((await run({ choices: '' })).traces)).toBe('0.0<1 0.1<2 0.2<3')
  const wanted = { kind: 'prefer', receiver: 0, sender: 3, from: 0 } as const
  expect(matchingOf((await run({ priorities: wanted })).traces)).toMatch(/^0\.0<3 /)
})

test('wildcardsOf finds nothing where every receive names its sender', async () => {
  const run = trialOf(async ({ world }) => {
    const { rank, size } = world
    const got = world.irecv({ source: (rank + size - 1) % size })
    await world.isend(rank, { dest: (rank + 1) % size })
    await got
  })
  expect(wildcardsOf((await run({ choices: '' })).traces)).toEqual([])
})

test('parseExplore reads its options and leaves the rest to the program', () => {
  expect(parseExplore(['-n', '3', '--runs', '9', '--json', 'a.ts', '-n', '7'])).toEqual({
    ...{ ranks: 3, file: 'a.ts', args: ['-n', '7'], runs: 9, seconds: 20, depth: 3, seed: 0 },
    json: true,
    faults: undefined,
  })
  expect(parseExplore(['--faults', 'loss,crash', 'a.ts']).faults).toEqual(['loss', 'crash'])
  expect(() => parseExplore(['--faults', 'lost', 'a.ts'])).toThrow("not 'lost'")
  expect(() => parseExplore(['-n', '0', 'a.ts'])).toThrow(
    "-n needs a number from 1 to 16384; it got '0'",
  )
  expect(() => parseExplore(['--fast', 'a.ts'])).toThrow('explore has no option --fast')
  expect(() => parseExplore(['-n', '3'])).toThrow('no program given')
})
