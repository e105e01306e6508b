import { MAX, MIN, PROD, SUM, type Op } from '@commworld/mpi'
import { defineCollective, OUT, TMP } from '@commworld/mpi/plan'
import {
  algorithmNames,
  coroutines,
  forAllWorlds,
  memoryCalls,
  memoryNames,
  memoryOperations,
  performMemoryCall,
  type MemoryCall,
} from '@commworld/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('collectives are right when no message is buffered: every block stays where it is until it is taken', async () => {
  expect.assertions(0)
  const names = memoryNames.filter((name) => memoryOperations[name].collective !== 'barrier')
  const property = forAllWorlds(
    {
      ranks: { min: 2, max: 9 },
      eagerLimitBytes: 0,
      data: (ranks): fc.Arbitrary<MemoryCall[]> => {
        const call = fc.constantFrom(...names).chain((name) => {
          const algorithms = algorithmNames(memoryOperations[name].collective)
          const byMessages = algorithms.filter((algorithm) => algorithm !== 'direct')
          return memoryCalls(name, { ranks, carrier: coroutines, algorithms: byMessages })
        })
        return fc.array(call, { minLength: 1, maxLength: 4 })
      },
    },
    async (mpi, calls) => {
      for (const call of calls) await performMemoryCall(mpi, call)
    },
  )
  await fc.assert(property, { numRuns: 80 })
})

/** The root sends a block to all from one place, and then the next from the same: it must wait for all. */
const fromOnePlace = defineCollective({
  collective: 'bcast',
  name: 'from-one-place',
  title: 'all blocks from one place',
  source: 'this test',
  use: 'never',
  cost: '-',
  cut: () => 4,
  scratch: () => [0],
  rounds: ({ blocks }) => blocks,
  volume: ({ size, blocks }) => (size - 1) * blocks,
  round(k, { size, rank, root }, emit) {
    if (rank !== root) return emit.receive(root, OUT, k)
    emit.copy(OUT, k, TMP, 0)
    for (let peer = 0; peer < size; peer++) if (peer !== root) emit.send(peer, TMP, 0)
  },
})

test('a block that several messages read is written when the last has been taken', async () => {
  const property = forAllWorlds(
    { ranks: { min: 3, max: 5 }, eagerLimitBytes: 0 },
    async ({ world, alloc }) => {
      const data = alloc(Int32Array, 8)
      if (world.rank === 0) data.set([1, 2, 3, 4, 5, 6, 7, 8])
      await world.ibcastInto(data, { algorithm: fromOnePlace })
      expect([...data]).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    },
  )
  await fc.assert(property, { numRuns: 40 })
})

test('more collectives than the board has entries are under way, and a call is not the one before', async () => {
  const reductions = [SUM, MAX, MIN, PROD]
  const combined = (op: Op, size: number, call: number): number => {
    const given = Array.from({ length: size }, (_, rank) => rank + call)
    if (op === SUM) return given.reduce((a, b) => a + b)
    if (op === PROD) return given.reduce((a, b) => a * b)
    return op === MAX ? Math.max(...given) : Math.min(...given)
  }
  const property = forAllWorlds(
    {
      ranks: { min: 2, max: 5 },
      data: fc.array(fc.constantFrom(...reductions), { minLength: 6, maxLength: 14 }),
    },
    async ({ world, alloc }, ops) => {
      const { rank, size } = world
      // Registered, and one like the other: so the library may take a call for the one before.
      const given = ops.map((_, call) => alloc(Float64Array, 1).fill(rank + call))
      const results = ops.map(() => alloc(Float64Array, 1))
      for (const [call, op] of ops.entries()) {
        await world.iallreduceInto(given[call]!, results[call]!, op)
        expect(results[call]![0]).toBe(combined(op, size, call))
      }
      const requests = ops.flatMap((op, call) => [
        world.iallreduceInto(given[call]!, results[call]!, op),
        world.iallreduce(rank + call, op),
      ])
      const values = []
      for (const request of requests) values.push(await request)
      for (const [call, op] of ops.entries()) {
        const expected = combined(op, size, call)
        expect([results[call]![0], values[2 * call + 1]]).toEqual([expected, expected])
      }
    },
  )
  await fc.assert(property, { numRuns: 60 })
})

test('nobody leaves a barrier before all have begun it, however many are under way', async () => {
  const algorithm = fc.constantFrom(...algorithmNames('barrier'))
  const property = forAllWorlds(
    {
      ranks: { min: 2, max: 6 },
      data: fc.array(fc.record({ algorithm, waits: fc.boolean() }), { maxLength: 6 }),
      repeatEvery: 0,
    },
    async ({ world }, barriers) => {
      const times: { begun: number; left: number }[] = []
      const open: { number: number; request: PromiseLike<void> }[] = []
      const leave = async (): Promise<void> => {
        for (const { number, request } of open.splice(0)) {
          await request
          times[number]!.left = clock++
        }
      }
      for (const [number, { algorithm: by, waits }] of barriers.entries()) {
        times.push({ begun: clock++, left: 0 })
        open.push({ number, request: world.ibarrier({ algorithm: by }) })
        if (waits) await leave()
      }
      await leave()
      return times
    },
    (all, { data: barriers }) => {
      for (const number of barriers.keys()) {
        const begun = Math.max(...all.map((times) => times[number]!.begun))
        const left = Math.min(...all.map((times) => times[number]!.left))
        expect(left, `barrier ${number} was left before all had begun it`).toBeGreaterThan(begun)
      }
    },
  )
  await fc.assert(property, { numRuns: 200 })
})

/** Ranks of such worlds share it: which of them did something first. */
let clock = 1
