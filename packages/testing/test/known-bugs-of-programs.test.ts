import { ANY_SOURCE, SUM, type Communicator, type Mpi } from '@commworld/mpi'
import { collectiveAlgorithms, type CollectiveName } from '@commworld/mpi/plan'
import { simulateCollective, usualFabric } from '@commworld/mpi/simulate'
import {
  algorithmNames,
  coroutines,
  forAllWorlds,
  memoryCalls,
  performMemoryCall,
  type MemoryCall,
} from '@commworld/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'

// More of the mistakes of known-bugs.test.ts: those of calls and of what is around algorithms. Where the
// library cannot make one, the test holds on to what keeps it from that.

/** What a property that must fail finds. */
async function failureOf(property: fc.IAsyncProperty<[unknown]>): Promise<string> {
  const { failed, errorInstance } = await fc.check(property, { seed: 1, numRuns: 200 })
  expect(failed).toBe(true)
  return String(errorInstance)
}

/** Exchanges both ways along a periodic dimension. */
async function exchanged(
  { world }: Mpi,
  tagOf: (way: number) => number,
): Promise<readonly [left: string, right: string]> {
  const { rank, size } = world
  const left = (rank + size - 1) % size
  const right = (rank + 1) % size
  const sends = [
    world.isend(`${rank} to its left`, { dest: left, tag: tagOf(0) }),
    world.isend(`${rank} to its right`, { dest: right, tag: tagOf(1) }),
  ]
  const fromLeft = await world.irecv<string>({ source: left, tag: tagOf(1) })
  const fromRight = await world.irecv<string>({ source: right, tag: tagOf(0) })
  for (const send of sends) await send
  return [fromLeft, fromRight]
}

const paired = (all: readonly (readonly [string, string])[]): void => {
  const { length: size } = all
  for (const [rank, [left, right]] of all.entries()) {
    expect(left).toBe(`${(rank + size - 1) % size} to its right`)
    expect(right).toBe(`${(rank + 1) % size} to its left`)
  }
}

test('B4: two edges to one neighbour, in periodic dimensions of 1 and 2, are paired wrongly', async () => {
  const alike = await failureOf(forAllWorlds({}, (mpi) => exchanged(mpi, () => 0), paired))
  expect(alike).toMatch(/with [12] ranks?: AssertionError/)
  await fc.assert(
    forAllWorlds({ ranks: { max: 4 } }, (mpi) => exchanged(mpi, (way) => way), paired),
  )
})

test('B5: ranks that see a vector through different datatypes cut it differently', async () => {
  const algorithms = algorithmNames('bcast')
  const data = (ranks: number): fc.Arbitrary<MemoryCall> =>
    memoryCalls('bcastInto', { ranks, carrier: coroutines, algorithms }).filter(
      ({ recv }) => new Set(recv.map(({ layout }) => layout)).size > 1,
    )
  const property = forAllWorlds(
    { ranks: { min: 2, max: 6 }, data },
    async (mpi, call) => await performMemoryCall(mpi, call),
  )
  await fc.assert(property, { numRuns: 60 })
  // The cut of an algorithm cannot depend on the rank: it is not told which it is.
  const keys = new Set<string>()
  const extents = { size: 4, bytes: 4096, elements: 512 }
  const told = new Proxy(extents, {
    get: (target, name: keyof typeof extents) => {
      keys.add(name)
      return target[name]
    },
  })
  for (const { cut } of collectiveAlgorithms) cut?.(told)
  expect([...keys].sort()).toEqual(['bytes', 'elements', 'size'])
})

test('B8: what does not count at a rank is used there', async () => {
  const property = forAllWorlds(
    { ranks: { max: 6 }, data: fc.record({ garbage: fc.anything(), root: fc.nat(9) }) },
    async ({ world }, { garbage, root: any }) => {
      const { rank, size } = world
      const root = any % size
      const given = rank === root ? Array.from({ length: size }, (_, to) => to * 3) : garbage
      expect(await world.iscatter(given as number[], { root })).toBe(rank * 3)
      const seen = await world.ibcast(rank === root ? 'word' : (garbage as string), { root })
      expect(seen).toBe('word')
    },
  )
  await fc.assert(property, { numRuns: 100 })
})

test("B16: two collectives under way take each other's messages", async () => {
  const sum = async (world: Communicator, value: number, tag: number): Promise<number> => {
    if (world.rank > 0) {
      await world.isend(value, { dest: 0, tag })
      return 0
    }
    let total = value
    for (let other = 1; other < world.size; other++) {
      total += await world.irecv<number>({ source: ANY_SOURCE, tag })
    }
    return total
  }
  const both = (tagOf: (call: number) => number) =>
    forAllWorlds(
      { ranks: { min: 2, max: 4 } },
      ({ world }) => Promise.all([sum(world, 1, tagOf(0)), sum(world, 100, tagOf(1))]),
      ([sums], { ranks }) => expect(sums).toEqual([ranks, 100 * ranks]),
    )
  expect(await failureOf(both(() => 7))).toMatch(/with [23] ranks: AssertionError/)
  await fc.assert(
    both((call) => call),
    { numRuns: 40 },
  )
  // The collectives of the library, by all algorithms, waited for in the other order.
  const algorithm = fc.constantFrom(...algorithmNames('allreduce'))
  const own = forAllWorlds(
    { ranks: { max: 6 }, data: fc.tuple(algorithm, algorithm) },
    async ({ world }, [first, second]) => {
      const data = [1, 100].map((value) => new Float64Array(8).fill(value))
      const results = data.map(({ length }) => new Float64Array(length))
      const requests = [first, second].map((by, call) =>
        world.iallreduceInto(data[call]!, results[call]!, SUM, { algorithm: by }),
      )
      for (const request of requests.reverse()) await request
      expect(results.map(([one]) => one)).toEqual([world.size, 100 * world.size])
    },
  )
  await fc.assert(own, { numRuns: 60 })
})

test('B17: what is freed right after a call was begun is used by it', async () => {
  const property = forAllWorlds(
    { ranks: { max: 6 }, data: fc.boolean() },
    async ({ world }, first) => {
      const part = await world.idup()
      const request = part.iallreduce(part.rank, SUM)
      if (first) part.free()
      expect(await request).toBe((world.size * (world.size - 1)) / 2)
      if (!first) part.free()
    },
  )
  await fc.assert(property, { numRuns: 40 })
})

test('B24: what was named for a world is used where it cannot be', async () => {
  // Recursive doubling of an allgather needs a power of two, neighbour exchange an even number.
  const named = fc.constantFrom('recursive-doubling', 'neighbor-exchange')
  for (const allgather of fc.sample(named, { numRuns: 4, seed: 1 })) {
    const property = forAllWorlds(
      { ranks: { max: 9 }, algorithms: { allgather } },
      async ({ world }) => {
        const seen = await world.iallgather(world.rank)
        expect(seen).toEqual(seen.map((_, rank) => rank))
      },
    )
    await fc.assert(property, { numRuns: 20 })
  }
  // Named for a call it is refused, at every rank alike and before anything moves.
  const refused = forAllWorlds({ ranks: 3 }, async ({ world }) => {
    expect(() => world.iallgather(1, { algorithm: 'neighbor-exchange' })).toThrow('3 is odd')
    expect(await world.iallgather(1)).toEqual([1, 1, 1])
  })
  await fc.assert(refused, { numRuns: 5 })
})

test('B26: nothing to send is refused, or something is read of it', async () => {
  const empty = new Float64Array(0)
  const property = forAllWorlds({ ranks: { max: 6 }, data: fc.nat(9) }, async ({ world }, any) => {
    const root = any % world.size
    await world.ibcastInto(empty, { root })
    await world.ireduceInto(empty, empty, SUM, { root })
    await world.iallreduceInto(empty, empty, SUM)
    await world.igatherInto(empty, empty, { root })
    await world.iallgatherInto(empty, empty)
    await world.ialltoallInto(empty, empty)
    await world.iscanInto(empty, empty, SUM)
    await world.isend(empty, { dest: world.rank })
    await world.irecvInto(empty, { source: world.rank })
  })
  await fc.assert(property, { numRuns: 40 })
})

test('B31: a collective takes longer than those that it could be made of', () => {
  // Between two lines of the table of rules the other one may be a little quicker.
  const SLACK = 1.05
  const model = usualFabric(32)
  const time = (collective: CollectiveName, ranks: number, bytes: number): number =>
    simulateCollective({ collective, ranks, bytes, model }).timePs
  for (const ranks of [2, 3, 4, 7, 8, 16, 31, 32]) {
    for (const bytes of [8, 1024, 4096, 16_384, 65_536, 2 ** 18, 2 ** 20, 2 ** 23]) {
      const parts = time('reduce', ranks, bytes) + time('bcast', ranks, bytes)
      const whole = time('allreduce', ranks, bytes)
      expect(whole, `allreduce of ${bytes} bytes on ${ranks} ranks`).toBeLessThanOrEqual(
        parts * SLACK,
      )
    }
    expect(time('barrier', ranks, 8)).toBeLessThanOrEqual(time('allreduce', ranks, 8) * SLACK)
  }
})
