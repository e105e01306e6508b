import { CommunicatorError, local, SUM, type Mpi } from '@commworld/mpi'
import { expect, test } from 'vitest'
import { refuses } from './refusal.js'

const refusal = {
  is: CommunicatorError,
  code: 'MPI_ERR_COMM',
  says: /^communicator `world` belongs to a rank that has ended.*await in main/,
}

/** What code may still try that main has started and not awaited. */
function strayCalls({ world, alloc }: Mpi): (() => unknown)[] {
  return [
    () => world.isend(1, { dest: 0 }),
    () => world.irecv({ source: 0 }),
    () => world.iprobe({ source: 0 }),
    () => world.ibarrier(),
    () => world.iallreduce(1, SUM),
    () => alloc(Int8Array, 1),
  ]
}

/** The faces of all ranks of a world that has ended. */
async function ended(ranks: number): Promise<Mpi[]> {
  const faces: Mpi[] = []
  await local(ranks, (mpi) => void faces.push(mpi))
  return faces
}

test('after the end of a world its ranks can do nothing more', async () => {
  for (const mpi of await ended(2)) {
    for (const call of strayCalls(mpi)) refuses(call, refusal)
  }
})

test('the world that follows in the same memory is not disturbed', async () => {
  const before = await ended(2)
  const sums = await local(2, ({ world }) => {
    const sum = world.iallreduce(world.rank + 1, SUM)
    for (const mpi of before) for (const call of strayCalls(mpi)) refuses(call, refusal)
    return sum
  })
  expect(sums).toEqual([3, 3])
})

test('a rank that has ended can do nothing more, while others still run', async () => {
  let first: Mpi | undefined
  await local(2, async (mpi) => {
    if (mpi.world.rank === 0) {
      first = mpi
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
    for (const call of strayCalls(first!)) refuses(call, refusal)
  })
  expect(first).toBeDefined()
})
