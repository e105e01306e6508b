import { launch, local, NoMemoryError } from '@commworld/mpi'
import { MemoryPool } from '@commworld/transport'
import { expect, test } from 'vitest'
import { createMpi, type Mpi } from '../../src/api/mpi.js'
import { SLAB_BYTES } from '../../src/device/staging-memory.js'
import { CoroutineWorld } from '../../src/engine/world/coroutine-world.js'
import type { RankRuntime } from '../../src/engine/world/rank-runtime.js'
import { SUM } from '../../src/op/index.js'

const memories = new MemoryPool()

/** Runs a world below the launcher, where its memory can be seen. */
async function run(
  ranks: number,
  main: (mpi: Mpi, runtime: RankRuntime) => Promise<void>,
  seed?: number,
): Promise<void> {
  const memory = memories.acquire(64 * 2 ** 20)
  const options = { ranks, mode: 'coroutine' as const, ...(seed === undefined ? {} : { seed }) }
  const world = new CoroutineWorld(memory, options, (runtime) =>
    main(createMpi(runtime, { args: [], appNumber: 0 }), runtime),
  )
  const outcome = await world.run()
  if (outcome.kind === 'failed') throw outcome.error
  expect(outcome.kind).toBe('finished')
  memories.release(memory)
}

/** Reads all ranks agree on when nothing is under way. */
async function usedBytes({ world }: Mpi, { rank }: RankRuntime): Promise<number> {
  for (let round = 0; round < 3; round++) await world.ibarrier()
  const used = rank.memory.heap.usedBytes
  for (let round = 0; round < 3; round++) await world.ibarrier()
  return used
}

test.each([1, 2, 5])(
  'at %i ranks thousands of communicators take no memory when freed',
  async (ranks) => {
    await run(ranks, async (mpi, runtime) => {
      const contexts = new Set<number>()
      async function cycle(): Promise<void> {
        const half = await mpi.world.isplit({ color: mpi.world.rank % 2, key: -mpi.world.rank })
        const dup = await half.idup()
        expect(await dup.iallreduce(1, SUM)).toBe(half.size)
        for (const { sendContext } of runtime.rank.communicators.open()) contexts.add(sendContext)
        half.free()
        dup.free()
      }
      for (let round = 0; round < 3; round++) await cycle()
      const before = await usedBytes(mpi, runtime)
      for (let round = 0; round < 1000; round++) await cycle()
      expect(await usedBytes(mpi, runtime)).toBe(before)
      // World and self, and never one of the others twice.
      expect(contexts.size).toBe(2 + 2 * 1003)
      expect(runtime.rank.communicators.open()).toHaveLength(2)
    })
  },
)

test('what ranks hold for each other on a communicator goes when the last has read it', async () => {
  for (let seed = 0; seed < 20; seed++) {
    await run(
      4,
      async (mpi, runtime) => {
        const { rank } = mpi.world
        const large = 'x'.repeat(5000)
        async function cycle(): Promise<void> {
          const dup = await mpi.world.idup()
          // Values that find no room in a slot; ranks are through with them at different times.
          const under = [dup.ibcast(rank === 0 ? large : undefined), dup.iallgather(large)]
          if (rank % 2 === 0) dup.free()
          expect((await under[0]!).length).toBe(5000)
          expect((await under[1]!).length).toBe(4)
          if (rank % 2 === 1) dup.free()
        }
        for (let round = 0; round < 5; round++) await cycle()
        const before = await usedBytes(mpi, runtime)
        for (let round = 0; round < 40; round++) await cycle()
        // How much is held at once differs from round to round, and memory comes in slabs.
        expect((await usedBytes(mpi, runtime)) - before).toBeLessThanOrEqual(2 * SLAB_BYTES)
      },
      seed,
    )
  }
})

test('on threads as well, where the last one to free a communicator may be any', async () => {
  const ranks = 3
  const rounds = 800
  const program = new URL('./programs/cycles.ts', import.meta.url)
  // Four boards a round, of some 20 KiB a rank: several times what there is.
  const options = { ranks, args: [String(rounds)], memoryBytes: 32 * 2 ** 20, timeoutMs: 25_000 }
  expect(await launch(program, options)).toEqual([2 * rounds, rounds, 2 * rounds])
})

test('ranks hear of it together when there is no memory for a communicator', async () => {
  const made = await local(
    3,
    async ({ world }) => {
      for (let count = 0; ; count++) {
        try {
          await world.idup()
        } catch (error) {
          expect(error).toBeInstanceOf(NoMemoryError)
          expect(await world.iallgather(count)).toEqual([count, count, count])
          return count
        }
      }
    },
    { memoryBytes: 8 * 2 ** 20 },
  )
  expect(made[0]).toBeGreaterThan(100)
})
