import { launch } from '@commworld/mpi'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runWorld, valuesOf, type Ended } from './coroutines.js'
import { race } from './race.js'

const RANKS = 4

async function run(options: { seed?: number; choices?: string }): Promise<Ended> {
  return await runWorld(RANKS, async (mpi) => await race(mpi), options)
}

const logs = (ended: Ended): readonly string[][] => valuesOf<string[]>(ended)

describe('a world of coroutines', () => {
  test('does the same twice with one seed, and with its replay string', async () => {
    await fc.assert(
      fc.asyncProperty(fc.maxSafeNat(), async (seed) => {
        const first = await run({ seed })
        const second = await run({ seed })
        expect([logs(second), second.replay]).toEqual([logs(first), first.replay])
        const replayed = await run({ choices: first.replay })
        expect([logs(replayed), replayed.replay]).toEqual([logs(first), first.replay])
      }),
      { numRuns: 25 },
    )
  })

  test('does what came first without a seed, which is the empty replay string', async () => {
    const first = await run({})
    expect(first.replay).toBe('')
    expect(logs(await run({ choices: '' }))).toEqual(logs(first))
  })

  test('takes another course with any choices, and never a wrong one', async () => {
    const deviation = fc.tuple(fc.nat(120), fc.integer({ min: 1, max: 5 }))
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(deviation, { selector: ([index]) => index }),
        async (list) => {
          const choices = list
            .toSorted(([a], [b]) => a - b)
            .map(([index, value]) => `${index}=${value}`)
            .join(',')
          const ended = await run({ choices })
          const [taken] = logs(ended)
          for (let rank = 1; rank < RANKS; rank++) {
            const mine = taken!.filter((entry) => entry.startsWith(`${rank}:`))
            expect(mine).toEqual([`${rank}:0:1`, `${rank}:1:500`, `${rank}:2:1`])
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  test('reaches many courses with many seeds: every rank is first, tests say yes and no', async () => {
    const courses = new Set<string>()
    const first = new Set<string>()
    const answers = new Set<string>()
    for (let seed = 0; seed < 60; seed++) {
      const all = logs(await run({ seed }))
      courses.add(all[0]!.join(' '))
      first.add(all[0]![0]!.split(':')[0]!)
      for (const log of all.slice(1))
        log.filter((entry) => /^[a-z]/.test(entry)).forEach((entry) => answers.add(entry))
    }
    expect(courses.size).toBeGreaterThan(30)
    expect([...first].toSorted()).toEqual(['1', '2', '3'])
    expect([...answers].toSorted()).toEqual(['early', 'late'])
  })
})

describe('a world of threads that run one at a time', () => {
  const program = new URL('./programs/race.ts', import.meta.url)

  async function serial(options: { seed?: number; choices?: string }): Promise<string> {
    const job = { ranks: RANKS, serial: true, timeoutMs: 20_000, ...options }
    return JSON.stringify(await launch<string[]>(program, job))
  }

  test('does the same twice with one seed, and other things with others', async () => {
    const [first, second] = [await serial({ seed: 5 }), await serial({ seed: 5 })]
    expect(second).toBe(first)
    const courses = new Set([first])
    for (let seed = 6; seed < 12; seed++) courses.add(await serial({ seed }))
    expect(courses.size).toBeGreaterThan(3)
  })
})
