import {
  fabricModel,
  kAryNTree,
  logGopsProfile,
  profileNamed,
  routingNamed,
  singleSwitch,
} from '@commworld/transport/simulated'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Mpi } from '../../src/api/index.js'
import { simulate } from '../../src/launch/simulate.js'
import { SUM } from '../../src/op/index.js'
import { parseGoal } from '../../src/simulate/goal/parse-goal.js'
import { replayGoal } from '../../src/simulate/goal/replay-goal.js'

const logGops = { latencyNs: 2500, overheadNs: 1500, gapNs: 1000, nsPerByte: 6 }
const network = logGopsProfile({ ...logGops, eagerLimitBytes: 65535 })
const model = fabricModel({ routing: routingNamed(singleSwitch(64), 'd-mod-k'), network })
const hdr = fabricModel({
  routing: routingNamed(kAryNTree({ k: 4, n: 3 }), 'd-mod-k'),
  network: profileNamed('hdr')!,
})

describe('replayGoal', () => {
  it('takes for dissemination what LogGOPSim does (its doc/README): 22 us', () => {
    const { timePs, messages } = replayGoal(parseGoal(dissemination(16)), { model })
    expect(timePs).toBe(22_000_000)
    expect(messages).toBe(64)
  })

  it('takes as long as the run that it was recorded from', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 32 }),
        fc.integer({ min: 1, max: 20_000 }),
        fc.constantFrom(1 as const, 2 as const),
        async (ranks, items, layer) => {
          const on = { ...hdr, layer }
          const run = await simulate(ranks, steps(items), { model: on, goal: true })
          const replayed = replayGoal(parseGoal(run.goal!), { model: on })
          expect(replayed.messages).toBe(run.messages)
          // Computing is rounded to nanoseconds.
          expect(Math.abs(replayed.timePs / run.timePs - 1)).toBeLessThan(0.02)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('receives from any rank and by any tag', () => {
    const text = `num_ranks 3
rank 0 { a: recv 8b from -1 tag -1
  b: recv 8b from -1 tag 7
  b requires a }
rank 1 { send 8b to 0 tag 7 }
rank 2 { a: calc 100000
  b: send 8b to 0 tag 7 cpu 0
  b requires a }`
    const { timePs } = replayGoal(parseGoal(text), { model })
    expect(timePs).toBe((100_000 + 2 * 1500 + 2500 + 7 * 6) * 1000)
  })

  it.each([
    ['num_ranks 2\nrank 0 {\nl1: recv 8b from 1 tag 3\n}\nrank 1 {\n}', /:3: rank 0: l1: recv 8b/],
    ['num_ranks 1\nrank 0 {\na: calc 5\nb: calc 5\na requires b\nb requires a\n}', /:3: rank 0: a/],
  ])('says what finds no match, with its line', (text, words) => {
    expect(() => replayGoal(parseGoal(text), { model })).toThrow(words)
  })
})

describe('parseGoal', () => {
  it.each([
    ['rank 0 {\n}', /:1: there is no rank 0/],
    ['num_ranks 1\nrank 0 {\nfly 8b to 0\n}', /:3: 'fly 8b to 0' is neither/],
    ['num_ranks 1\n/* a\n b */ rank 0 {\na requires b\n}', /:4: there is no operation/],
    ['num_ranks 1\nrank 0 {\nsend 8b to 4 tag 0\n}', /:3: there is no rank 4/],
    ['num_ranks 1\nrank 0 {\na: calc 1', /closing brace/],
  ])('names line and reason: %j', (text, words) => {
    expect(() => parseGoal(text, 'x.goal')).toThrow(words)
  })
})

function dissemination(ranks: number): string {
  const blocks = Array.from({ length: ranks }, (_, rank) => {
    const lines: string[] = []
    for (let round = 0, step = 1; step < ranks; round++, step *= 2) {
      lines.push(`s${round}: send 1b to ${(rank + step) % ranks} tag ${round}`)
      lines.push(`r${round}: recv 1b from ${(rank + ranks - step) % ranks} tag ${round}`)
      lines.push(`r${round} irequires s${round}`)
      if (round > 0) lines.push(`s${round} requires r${round - 1}`)
    }
    return `rank ${rank} {\n${lines.join('\n')}\n}`
  })
  return [`num_ranks ${ranks}`, ...blocks].join('\n')
}

function steps(items: number) {
  return async ({ world, alloc, compute }: Mpi): Promise<void> => {
    const field = alloc(Float64Array, items)
    const sum = alloc(Float64Array, items)
    compute(1e-6 * (1 + world.rank))
    await world.iallreduceInto(field, sum, SUM)
    await world.ibcastInto(field)
    await world.ibarrier()
  }
}
