import { Datatype, local, OverlapError, type Mpi } from '@commworld/mpi'
import { describe, expect, test } from 'vitest'
import { allIsWell, refuses } from './refusal.js'

const overlapping = (says: RegExp) => ({ is: OverlapError, code: 'MPI_ERR_BUFFER', says })

describe.each([
  ['plain', (_: Mpi, length: number) => new Float64Array(length)],
  ['registered', ({ alloc }: Mpi, length: number) => alloc(Float64Array, length)],
] as const)('in %s memory', (_, make) => {
  test('the two buffers of an exchange must not overlap', async () => {
    await local(2, async (mpi) => {
      const { world } = mpi
      const peer = 1 - world.rank
      const data = make(mpi, 8)
      const options = { dest: peer, source: peer }
      const says = /isendrecvInto: `send` and `recv` overlap in memory\. Use sendrecvReplace/
      for (const [send, recv] of [
        [data, data],
        [data.subarray(0, 5), data.subarray(4)],
        [data.subarray(7), { data, offset: 7, count: 1 }],
        [{ data, count: 2 }, data.subarray(1, 3)],
      ] as const) {
        refuses(() => world.isendrecvInto(send, recv, options), overlapping(says))
      }
      data.fill(world.rank + 1)
      await world.isendrecvInto(data.subarray(0, 4), data.subarray(4), options)
      expect(data).toEqual(
        Float64Array.of(...Array(4).fill(world.rank + 1), ...Array(4).fill(peer + 1)),
      )
      await allIsWell(mpi)
    })
  })

  test('what a receive under way will write belongs to it', async () => {
    await local(2, async (mpi) => {
      const { world } = mpi
      const peer = 1 - world.rank
      const data = make(mpi, 8)
      const request = world.irecvInto(data.subarray(2, 6), { source: peer, tag: 1 })
      const other = overlapping(
        /: `the buffer` and `the buffer of another receive that is not complete` overlap/,
      )
      const another = overlapping(
        /`the buffer of a receive that is not complete` overlap.*Wait for its request first/,
      )
      refuses(() => world.irecvInto(data.subarray(5), { source: peer, tag: 2 }), other)
      refuses(() => world.isend(data, { dest: peer, tag: 2 }), another)
      refuses(() => world.isend(data.subarray(2, 3), { dest: peer, tag: 2 }), another)
      const pair = Datatype.contiguous(2)
      const typed = { data, datatype: pair, offset: 5, count: 1 }
      refuses(() => world.isend(typed, { dest: peer, tag: 2 }), another)
      const exchange = { dest: peer, source: peer, sendTag: 2 }
      refuses(
        () => world.isendrecvInto(data.subarray(3, 4), new Float64Array(1), exchange),
        another,
      )
      const part = { data, offset: 5, count: 2 }
      refuses(() => world.isendrecvInto(part, new Float64Array(2), exchange), another)
      refuses(() => world.isendrecv(data.subarray(3, 4), exchange), another)
      refuses(() => world.isendrecvReplace(data.subarray(5, 7), exchange), other)
      // Beside it everything may happen.
      const beside = world.irecvInto(data.subarray(6), { source: peer, tag: 3 })
      await world.isend(Float64Array.of(7, 8), { dest: peer, tag: 3 })
      await world.isend(Float64Array.of(3, 4, 5, 6), { dest: peer, tag: 1 })
      await Promise.all([request, beside])
      expect(data).toEqual(Float64Array.of(0, 0, 3, 4, 5, 6, 7, 8))
      // And now it is free again.
      await world.isendrecv(data, { dest: peer, source: peer })
      await allIsWell(mpi)
    })
  })

  test('a cancelled receive owns nothing', async () => {
    await local(1, async (mpi) => {
      const { world } = mpi
      const data = make(mpi, 8)
      const request = world.irecvInto(data, { source: 0, tag: 5 })
      request.cancel()
      await request
      await world.isendrecvInto(Float64Array.of(1), data, { dest: 0, source: 0 })
      expect(data[0]).toBe(1)
    })
  })

  test('the memory of a matched message that is under way belongs to it', async () => {
    await local(2, async (mpi) => {
      const { world } = mpi
      const data = make(mpi, 20_000)
      if (world.rank === 0) {
        await world.isend(new Float64Array(20_000).fill(3), { dest: 1 })
      } else {
        let message = world.improbe({ source: 0 })
        while (message === undefined) {
          await new Promise((resolve) => setImmediate(resolve))
          message = world.improbe({ source: 0 })
        }
        const pending = world.irecvInto(data.subarray(0, 1), { source: 0, tag: 9 })
        refuses(() => message.irecvInto(data), overlapping(/another receive/))
        pending.cancel()
        await pending
        await message.irecvInto(data)
        expect(data.at(-1)).toBe(3)
      }
      await allIsWell(mpi)
    })
  })
})

test('registered memory that is being sent in place must not be written', async () => {
  await local(2, async (mpi) => {
    const { world, alloc } = mpi
    const data = alloc(Float64Array, 20_000)
    if (world.rank === 0) {
      const send = world.isend(data, { dest: 1 })
      const says = /`the buffer of a send that is not complete` overlap/
      refuses(() => world.irecvInto(data.subarray(9, 10), { source: 1 }), overlapping(says))
      const second = world.isend(data.subarray(5), { dest: 1 })
      await Promise.all([send, second])
      await world.isendrecvInto(Float64Array.of(1), data, { dest: 0, source: 0 })
    } else {
      await world.irecvInto(data, { source: 0 })
      await world.irecvInto(data, { source: 0 })
    }
    await allIsWell(mpi)
  })
})

test('a datatype that writes an element twice can be sent but not received into', async () => {
  await local(1, async (mpi) => {
    const { world } = mpi
    const data = Int8Array.of(1, 2, 3, 4)
    const datatype = Datatype.vector({ count: 2, blockLength: 2, stride: 1 })
    const memory = { data, datatype }
    refuses(
      () => world.irecvInto(memory, { source: 0 }),
      overlapping(/irecvInto: the datatype of `memory` writes some elements twice/),
    )
    const send = world.isend(memory, { dest: 0 })
    expect(await world.irecv({ source: 0 })).toEqual(Int8Array.of(1, 2, 2, 3))
    await send
  })
})
