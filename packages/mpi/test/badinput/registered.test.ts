import { local, MemoryUseError, NoMemoryError, type Mpi } from '@commworld/mpi'
import { expect, test } from 'vitest'
import { allIsWell, refuses } from './refusal.js'

const misused = (says: RegExp) => ({ is: MemoryUseError, code: 'MPI_ERR_BASE', says })
const full = (says: RegExp) => ({ is: NoMemoryError, code: 'MPI_ERR_NO_MEM', says })

const memoryBytes = 16 * 2 ** 20

test('alloc says how much there is when registered memory is used up', async () => {
  await local(
    2,
    async (mpi) => {
      const { world, alloc, free } = mpi
      await allIsWell(mpi)
      if (world.rank === 0) {
        const says =
          /no 33554432 bytes in one piece: \d+ of its 16\d+ bytes are free\. Run with more \(`--memory`/
        refuses(() => alloc(Float64Array, 2 ** 22), full(says))
        const blocks = fill(mpi, 2 ** 20)
        expect(blocks.length).toBeGreaterThan(8)
        refuses(() => alloc(Uint8Array, 2 ** 20), full(/no 1048576 bytes/))
        for (const bytes of [2 ** 16, 2 ** 10, 64]) blocks.push(...fill(mpi, bytes))
        await allIsWell(mpi)
        free(blocks.shift()!)
        alloc(Uint8Array, 2 ** 20)
      } else {
        await allIsWell(mpi)
      }
      await allIsWell(mpi)
    },
    { memoryBytes },
  )
})

test('a message that needs a copy says so when there is no memory for it, and is not sent', async () => {
  await local(
    2,
    async (mpi) => {
      const { world } = mpi
      const peer = 1 - world.rank
      await allIsWell(mpi)
      const blocks = world.rank === 0 ? fill(mpi, 2 ** 18) : []
      await world.ibarrier()
      if (world.rank === 0) {
        const large = new Uint8Array(2 ** 21)
        refuses(() => world.isend(large, { dest: peer }), full(/no 2097152 bytes/))
        refuses(() => world.isend('x'.repeat(2 ** 21), { dest: peer }), full(/no 20\d+ bytes/))
        refuses(
          () => world.isendrecv(large, { dest: peer, source: peer, recvTag: 9 }),
          full(/no 2097152 bytes/),
        )
        // From registered memory it goes all the same.
        const [block] = blocks
        block!.fill(5)
        await world.isend(block, { dest: peer, tag: 1 })
      } else {
        const into = new Uint8Array(2 ** 18)
        await world.irecvInto(into, { source: peer, tag: 1 })
        expect(into.every((byte) => byte === 5)).toBe(true)
      }
      await world.ibarrier()
      for (const block of blocks) mpi.free(block)
      await allIsWell(mpi)
    },
    { memoryBytes },
  )
})

test('memory is freed once, whole, and only by whoever has it', async () => {
  await local(2, async (mpi) => {
    const { alloc, free } = mpi
    const view = alloc(Float64Array, 100)
    refuses(() => free(view.subarray(1)), misused(/only a part of an allocation/))
    refuses(() => free(view.subarray(0, 50)), misused(/only a part of an allocation/))
    refuses(() => free(new Float64Array(100)), misused(/not allocated with `alloc`/))
    refuses(() => free([] as never), misused(/not allocated with `alloc`/))
    free(view)
    refuses(() => free(view), misused(/free already/))
    await allIsWell(mpi)
  })
})

test('memory under an operation that is not complete cannot be freed', async () => {
  await local(2, async (mpi) => {
    const { world, alloc, free } = mpi
    const peer = 1 - world.rank
    const inUse = misused(/an operation that is not complete still uses this memory\. Wait/)
    const [sent, taken] = [alloc(Float64Array, 9000), alloc(Float64Array, 9000)]
    sent.fill(world.rank)
    const receive = world.irecvInto(taken.subarray(5), { source: peer })
    const send = world.isend(sent.subarray(5), { dest: peer })
    refuses(() => free(sent), inUse)
    refuses(() => free(taken), inUse)
    await Promise.all([receive, send])
    expect(taken.at(-1)).toBe(peer)
    free(sent)
    free(taken)
    await allIsWell(mpi)
  })
})

test('freed memory cannot be sent from or received into', async () => {
  await local(2, async (mpi) => {
    const { world, alloc, free } = mpi
    const peer = 1 - world.rank
    const views = [alloc(Float64Array, 4), alloc(Float64Array, 9000)]
    for (const view of views) {
      // Used before, so that it is known.
      await world.isendrecv(view, { dest: peer, source: peer })
      free(view)
      const gone = misused(/was freed, or belongs to another rank or to a world that has ended/)
      for (const part of [view, view.subarray(1)]) {
        refuses(() => world.isend(part, { dest: peer }), gone)
        refuses(() => world.irecvInto(part, { source: peer }), gone)
        refuses(() => world.isendrecvReplace(part, { dest: peer, source: peer }), gone)
        refuses(() => world.irecvInto({ data: part, count: 2 }, { source: peer }), gone)
      }
    }
    await allIsWell(mpi)
  })
})

test('memory of a world that has ended is of no use in the next one', async () => {
  const kept: Float64Array[] = []
  await local(1, ({ alloc }) => void kept.push(alloc(Float64Array, 4), alloc(Float64Array, 9000)))
  await local(1, async (mpi) => {
    const { world, alloc, free } = mpi
    const mine = alloc(Float64Array, 9000).fill(1)
    const gone = misused(/was freed, or belongs to another rank or to a world that has ended/)
    for (const view of kept) {
      refuses(() => world.irecvInto(view, { source: 0 }), gone)
      refuses(() => world.isend(view.subarray(1), { dest: 0 }), gone)
      refuses(() => free(view), misused(/not allocated with `alloc` in this world/))
    }
    expect(mine.every((value) => value === 1)).toBe(true)
    await allIsWell(mpi)
  })
})

test('alloc refuses what is no kind and no length', async () => {
  await local(1, ({ alloc }) => {
    expect(() => alloc(Array as never, 3)).toThrow(expect.objectContaining({ code: 'MPI_ERR_ARG' }))
    for (const length of [-1, 0.5, NaN, '3' as never]) {
      const error = expect.objectContaining({ code: 'MPI_ERR_COUNT' })
      expect(() => alloc(Int8Array, length)).toThrow(error)
    }
    expect(alloc(Int8Array, 0)).toHaveLength(0)
  })
})

/** Allocates until there is no more. */
function fill({ alloc }: Mpi, bytes: number): Uint8Array[] {
  const blocks: Uint8Array[] = []
  for (;;) {
    try {
      blocks.push(alloc(Uint8Array, bytes))
    } catch (error) {
      if (error instanceof NoMemoryError) return blocks
      throw error
    }
  }
}
