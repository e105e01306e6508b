import { fabricModel, kAryNTree, profileNamed, routingNamed } from '@commworld/transport/simulated'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Mpi } from '../../src/api/index.js'
import { ContentError } from '../../src/errors/index.js'
import { simulate } from '../../src/launch/simulate.js'
import { SUM } from '../../src/op/index.js'

const routing = routingNamed(kAryNTree({ k: 4, n: 2 }), 'd-mod-k')
const model = fabricModel({ routing, network: profileNamed('hdr')! })

describe('a run for times alone', () => {
  it('takes as long as one that moves data, event by event', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 16 }),
        fc.integer({ min: 1, max: 200_000 }),
        fc.boolean(),
        async (ranks, bytes, registered) => {
          const program = ({ world, alloc }: Mpi) =>
            everything(world, make(alloc, registered), bytes)
          const run = (timingOnly: boolean) =>
            simulate(ranks, program, { model, digest: true, timingOnly })
          const [moving, bare] = [await run(false), await run(true)]
          expect(bare.digest).toBe(moving.digest)
          expect(bare.finishPs).toEqual(moving.finishPs)
          expect(moving.values.every((sum) => sum === ranks)).toBe(true)
          expect(bare.card.ignores.join()).toContain('times alone')
        },
      ),
      { numRuns: 12 },
    )
  })

  it('leaves arrays as they were, and values as they are', async () => {
    const program = async ({ world }: Mpi) => {
      const peer = 1 - world.rank
      const into = new Float64Array(1000).fill(-1)
      const sends = [
        world.isend(new Float64Array(1000).fill(world.rank), { dest: peer }),
        world.isend({ rank: world.rank }, { dest: peer, tag: 1 }),
      ]
      await world.irecvInto(into, { source: peer, tag: 0 })
      const value = await world.irecv<{ rank: number }>({ source: peer, tag: 1 })
      await Promise.all(sends)
      const half = await world.isplit({ color: world.rank, key: 0 })
      return [into.every((item) => item === -1), value.rank === peer, half!.size]
    }
    const { values } = await simulate(2, program, { model, timingOnly: true })
    expect(values).toEqual([
      [true, true, 1],
      [true, true, 1],
    ])
  })

  it('says so where the content of an array is wanted as a value', async () => {
    for (const length of [4, 100_000]) {
      const program = async ({ world }: Mpi) => {
        if (world.rank === 0) await world.isend(new Int32Array(length), { dest: 1 })
        else await world.irecv({ source: 0 })
      }
      await expect(simulate(2, program, { model, timingOnly: true })).rejects.toThrow(ContentError)
    }
  })

  it('fits more into memory than there is', async () => {
    const length = 2 ** 23
    const program = async ({ world, alloc, free }: Mpi) => {
      const field = alloc(Float64Array, length)
      const peer = world.rank ^ 1
      const other = alloc(Float64Array, length)
      const receive = world.irecvInto(other, { source: peer })
      await world.isend(field, { dest: peer })
      await receive
      free(field)
      free(other)
    }
    const { bytes } = await simulate(16, program, { model, timingOnly: true })
    expect(bytes).toBe(16 * 8 * length)
  })
})

type Make = (bytes: number) => Uint8Array

function make(alloc: Mpi['alloc'], registered: boolean): Make {
  return (bytes) => (registered ? alloc(Uint8Array, bytes) : new Uint8Array(bytes))
}

async function everything(world: Mpi['world'], array: Make, bytes: number): Promise<number> {
  const { rank, size } = world
  const [right, left] = [(rank + 1) % size, (rank + size - 1) % size]
  const [out, into] = [array(bytes), array(bytes)]
  const receive = world.irecvInto(into, { source: left })
  await world.isend(out, { dest: right })
  await receive
  await world.iallreduceInto(out, into, SUM)
  await world.ibcastInto(into, { root: size - 1 })
  return await world.iallreduce(1, SUM)
}
