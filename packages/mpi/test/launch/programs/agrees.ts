import { Datatype, IN_PLACE, MAX, Op, SUM, waitAll, type Mpi } from '@commworld/mpi'

/** Right programs that come close to ranks that do not agree: what may differ from rank to rank. */
export default async function main({ world, self, alloc }: Mpi) {
  const { rank, size } = world
  const odd = rank % 2 === 1

  // A root that is named on some ranks, and calls at different lines.
  if (odd) await world.ibcast('left out')
  else await world.ibcast('named', { root: 0 })

  // Registered memory, plain memory, a datatype of as many elements.
  const column = Datatype.vector({ count: 4, blockLength: 1, stride: 2 })
  if (rank === 0) await world.ibcastInto({ data: new Float64Array(8), count: 1, datatype: column })
  else await world.ibcastInto(odd ? alloc(Float64Array, 4) : new Float64Array(4))

  // In place on some ranks.
  const both = alloc(Float64Array, 3).fill(rank)
  if (odd) await world.iallreduceInto(IN_PLACE, both, SUM)
  else await world.iallreduceInto(both.slice(), both, SUM)

  // Values of different kinds, arrays of different lengths, and nothing.
  await world.iallgather(odd ? { kind: 'object' } : rank)
  await world.igather(new Float64Array(rank))
  await world.ibcast(rank === 0 ? [1, 2] : undefined)

  // A reduction that each rank makes for itself.
  await world.iallreduce(
    rank,
    Op.create((lower: number, higher: number) => lower * 2 + higher, { name: 'own' }),
  )

  // Blocks that differ in length, in places of their own.
  const counts = Array.from({ length: size }, (_, one) => one + 1)
  const recv = new Int32Array((size * (size + 1)) / 2)
  await world.iallgathervInto(new Int32Array(rank + 1), { data: recv, counts })

  // More collectives on another communicator.
  if (odd) await self.iallreduce(rank, MAX)
  await self.ibarrier()

  // Begun in one order, waited for in any.
  const begun = [world.iallreduce(1, SUM), world.ibarrier(), world.iscan(1, SUM)]
  if (odd) await Promise.all(begun.reverse())
  else for (const request of begun) await request
  waitAll(begun)
  if (rank === 0) console.log('agreed')
}
