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
import { DeadlockError } from '../../src/errors/index.js'
import { simulate } from '../../src/launch/simulate.js'
import { SUM } from '../../src/op/index.js'
import { simulateCollective, SimulationError } from '../../src/simulate/index.js'

const parameters = { latencyNs: 2500, overheadNs: 1500, gapNs: 1000, nsPerByte: 6 }
const network = logGopsProfile({ ...parameters, eagerLimitBytes: 65535 })
const routing = routingNamed(singleSwitch(64), 'd-mod-k')
const model = fabricModel({ routing, network })
const tree = routingNamed(kAryNTree({ k: 4, n: 3 }), 'd-mod-k')
const hdr = fabricModel({ routing: tree, network: profileNamed('hdr')! })

const { latencyNs: L, overheadNs: o, nsPerByte: G } = parameters
/** Closed form of LogGOPS: a message alone, with the handshake of a long one. */
const alone = (bytes: number): number =>
  2 * o + L + Math.max(0, bytes - 1) * G + (bytes > 65535 ? 2 * L + o : 0)

describe('simulate', () => {
  it('takes for a ping-pong what LogGOPS says, to the picosecond', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100_000 }), fc.nat(5), async (bytes, rounds) => {
        const { timePs } = await simulate(2, pingPong(bytes, rounds), { model })
        // The last sender of a long message hears that it was fetched.
        const told = rounds > 0 && bytes > 65535 ? L : 0
        expect(timePs).toBe((2 * rounds * alone(bytes) + told) * 1000)
      }),
      { numRuns: 50 },
    )
  })

  it('takes for a ring of values one message after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 64 }), async (ranks) => {
        const { timePs, values } = await simulate(ranks, ring, { model })
        expect(timePs).toBe(ranks * alone(8) * 1000)
        expect(values[0]).toBe((ranks * (ranks - 1)) / 2)
      }),
      { numRuns: 20 },
    )
  })

  it.each(['allreduce', 'bcast', 'barrier', 'allgather', 'alltoall', 'reduce', 'scan'] as const)(
    'takes for %s what its round function takes without a program',
    async (collective) => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 2, max: 64 }),
          fc.integer({ min: 1, max: 200 }),
          async (ranks, items) => {
            const bytes = collective === 'barrier' ? 0 : 8 * items
            const run = await simulate(ranks, calling(collective, items), { model: hdr })
            const bare = simulateCollective({ collective, ranks, bytes, model: hdr })
            expect(run.messages).toBe(bare.messages)
            expect(Math.abs(run.timePs / bare.timePs - 1)).toBeLessThan(0.03)
          },
        ),
        { numRuns: 15 },
      )
    },
  )

  it('has a clock of its own, which computing moves', async () => {
    const { values, timePs } = await simulate(
      2,
      ({ wtime, compute }) => {
        const before = wtime()
        compute(0.25)
        return wtime() - before
      },
      { model },
    )
    expect(values).toEqual([0.25, 0.25])
    expect(timePs).toBe(0.25e12)
  })

  it('lets a rank take in what came while it computed when that is over', async () => {
    const run = await simulate(
      2,
      async ({ world, compute }) => {
        if (world.rank === 0) return await world.isend(1, { dest: 1 })
        const receive = world.irecv<number>({ source: 0 })
        compute(1e-3)
        await receive
      },
      { model },
    )
    expect(run.timePs).toBe(1e9 + o * 1000)
    expect(run.sharesOf(1)).toMatchObject({ computingPs: 1e9, overheadPs: o * 1000, waitingPs: 0 })
  })

  it('is the same run each time: one hash for one program, fabric and seed', async () => {
    const program = calling('allreduce', 1000)
    const run = (layer: 1 | 2) =>
      simulate(48, program, { model: { ...hdr, layer, ranksPerHost: 2 }, digest: true })
    const [first, again, other] = [await run(1), await run(1), await run(2)]
    expect(again.digest).toBe(first.digest)
    expect(again.timePs).toBe(first.timePs)
    expect(other.digest).not.toBe(first.digest)
  })

  it('adds up the critical path to the end of the run', async () => {
    const { criticalPath, timePs } = await simulate(64, calling('allreduce', 5000), { model: hdr })
    const sum = Object.values(criticalPath).reduce((all, part) => all + part, 0)
    expect(Math.abs(sum / timePs - 1)).toBeLessThan(1e-9)
  })

  it('delivers what was sent, whatever way it went', async () => {
    const sizes = [0, 1, 100, 5000, 70_000, 300_000]
    const { values } = await simulate(4, exchange(sizes), { model: { ...hdr, ranksPerHost: 2 } })
    expect(values).toEqual([true, true, true, true])
  })

  it('reports a deadlock as on threads', async () => {
    const stuck = async ({ world }: Mpi) => {
      await world.irecv({ source: (world.rank + 1) % world.size })
    }
    await expect(simulate(3, stuck, { model })).rejects.toThrow(DeadlockError)
  })

  it('refuses more ranks than places', async () => {
    await expect(simulate(65, () => {}, { model })).rejects.toThrow(SimulationError)
  })

  it('refuses computing for less than no time', async () => {
    const program = ({ compute }: Mpi) => compute(-1)
    await expect(simulate(1, program, { model })).rejects.toThrow('seconds')
  })
})

function pingPong(bytes: number, rounds: number) {
  return async ({ world, alloc }: Mpi): Promise<void> => {
    const out = alloc(Uint8Array, bytes)
    const into = alloc(Uint8Array, bytes)
    const peer = 1 - world.rank
    const sends = []
    for (let round = 0; round < rounds; round++) {
      const receive = world.irecvInto(into, { source: peer })
      if (world.rank === 1) await receive
      sends.push(world.isend(out, { dest: peer }))
      await receive
    }
    await Promise.all(sends)
  }
}

async function ring({ world }: Mpi): Promise<number> {
  const { rank, size } = world
  const pass = (sum: number) => world.isend(sum, { dest: (rank + 1) % size })
  if (rank === 0) {
    await pass(0)
    return await world.irecv<number>({ source: size - 1 })
  }
  const sum = await world.irecv<number>({ source: rank - 1 })
  await pass(sum + rank)
  return sum
}

function calling(collective: string, items: number) {
  return async ({ world, alloc }: Mpi): Promise<void> => {
    const one = alloc(Float64Array, items)
    const other = alloc(Float64Array, items)
    const all = alloc(Float64Array, items * world.size)
    const rest = alloc(Float64Array, items * world.size)
    if (collective === 'allreduce') await world.iallreduceInto(one, other, SUM)
    if (collective === 'bcast') await world.ibcastInto(one)
    if (collective === 'barrier') await world.ibarrier()
    if (collective === 'allgather') await world.iallgatherInto(one, all)
    if (collective === 'alltoall') await world.ialltoallInto(all, rest)
    if (collective === 'reduce') await world.ireduceInto(one, other, SUM)
    if (collective === 'scan') await world.iscanInto(one, other, SUM)
  }
}

function exchange(sizes: readonly number[]) {
  return async ({ world, alloc }: Mpi): Promise<boolean> => {
    const { rank, size } = world
    let right = true
    for (const kind of ['registered', 'plain'] as const) {
      for (const bytes of sizes) {
        const make = () => (kind === 'plain' ? new Uint8Array(bytes) : alloc(Uint8Array, bytes))
        const sends = Array.from({ length: size }, (_, dest) =>
          world.isend(make().fill(rank * 16 + dest), { dest }),
        )
        for (let source = 0; source < size; source++) {
          const into = make()
          await world.irecvInto(into, { source })
          right &&= into.every((byte) => byte === source * 16 + rank)
        }
        await Promise.all(sends)
      }
    }
    return right
  }
}
