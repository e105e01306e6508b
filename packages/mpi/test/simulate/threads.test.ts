import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fabricModel, loadFabric } from '@commworld/transport/simulated'
import { describe, expect, it } from 'vitest'
import { ArgumentError, DeadlockError } from '../../src/errors/index.js'
import { launch } from '../../src/launch/launch.js'
import { simulate } from '../../src/launch/simulate.js'
import { SUM } from '../../src/op/index.js'
import { mixed } from './programs/mixed.js'

const cluster = fileURLToPath(new URL('./programs/cluster.yaml', import.meta.url))
const tiny = fileURLToPath(new URL('./programs/tiny.yaml', import.meta.url))
const program = (name: string) => new URL(`./programs/${name}.ts`, import.meta.url)
const LIMIT = 60_000

describe('threads in virtual time', () => {
  it(
    'take as long as coroutines for the same i-forms, step by step',
    async () => {
      for (const [seed, ranks] of [
        [1, 5],
        [2, 7],
      ] as const) {
        const threads = await launch(program('mixed'), {
          ranks,
          args: [String(seed)],
          fabric: cluster,
        })
        const model = fabricModel(loadFabric(cluster))
        const { values } = await simulate(ranks, (mpi) => mixed(mpi as never, seed, SUM as never), {
          model,
        })
        expect(threads).toEqual(values)
      }
    },
    LIMIT,
  )

  it(
    'run plain verbs, with a clock of their own, and write what is asked for',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'threads-test-'))
      const [links, goal] = [join(folder, 'links.json'), join(folder, 'run.goal')]
      try {
        const fabric = { file: cluster, ranksPerHost: 1, links, goal }
        const results = await launch<Record<string, number>>(program('plain'), { ranks: 4, fabric })
        results.forEach((result, rank) => {
          const left = (rank + 3) % 4
          expect(result).toMatchObject({
            from: left,
            bytes: 160_000,
            sum: 6,
            into: 6,
            polled: left,
          })
          expect(result.computed).toBeCloseTo(1e-3, 12)
        })
        const run = JSON.parse(readFileSync(links, 'utf8')) as { seconds: number }
        expect(Math.max(...results.map(({ now }) => now!))).toBeCloseTo(run.seconds, 9)
        expect(readFileSync(goal, 'utf8')).toMatch(/^num_ranks 4\n/)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
    LIMIT,
  )

  it(
    'report a deadlock as outside of virtual time',
    async () => {
      const stuck = launch(program('plain'), { ranks: 3, args: ['stuck'], fabric: 'hdr' })
      await expect(stuck).rejects.toThrow(DeadlockError)
      await expect(stuck).rejects.toThrow(/recv\(src 2, tag 10, world\).*plain\.ts:25/s)
    },
    LIMIT,
  )

  it(
    'take measured time for computing where that is asked for, times a factor',
    async () => {
      const fabric = { file: cluster, computeScale: 3 }
      const [first] = await launch<number>(program('busy'), { ranks: 2, args: ['20'], fabric })
      expect(first).toBeGreaterThanOrEqual(0.06)
    },
    LIMIT,
  )

  it('are at most 128, and need a fabric that is there', async () => {
    await expect(launch(program('plain'), { ranks: 129, fabric: 'hdr' })).rejects.toThrow(
      ArgumentError,
    )
    await expect(launch(program('plain'), { ranks: 2, fabric: 'hdx' })).rejects.toThrow(
      'neither a file nor a network',
    )
    await expect(launch(program('plain'), { ranks: 3, fabric: tiny })).rejects.toThrow('hosts')
  })
})
