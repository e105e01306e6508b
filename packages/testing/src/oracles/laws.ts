import { SUM, type Communicator, type Op } from '@commworld/mpi'

/** A relation between collectives that holds for all inputs: both sides, as each rank sees them. */
export interface Law {
  readonly name: string
  /** Reductions on both sides fold differently: the operation must be associative. */
  readonly associative: boolean
  /** The two sides on this rank; they must be equal. */
  readonly sides: (world: Communicator, input: LawInput) => Promise<readonly [unknown, unknown]>
}

/** What a rank gives. */
export interface LawInput {
  /** Its own value. */
  readonly value: unknown
  /** One for each rank, what it gives to that rank. */
  readonly each: readonly unknown[]
  readonly op?: Op
  readonly root: number
}

/** The algebraic relations of MPI's collectives; those with reductions fold by `input.op`, SUM when left out. */
export const laws: readonly Law[] = [
  law('allreduce is reduce, then bcast', true, async (world, { value, op = SUM, root }) => {
    const reduced = await world.ireduce(value, op, { root })
    return [await world.iallreduce(value, op), await world.ibcast(reduced, { root })]
  }),
  law('allgather is gather, then bcast', false, async (world, { value, root }) => {
    const gathered = await world.igather(value, { root })
    return [await world.iallgather(value), await world.ibcast(gathered, { root })]
  }),
  law('gather, then scatter, gives everybody his own', false, async (world, { value, root }) => {
    const gathered = await world.igather(value, { root })
    return [await world.iscatter(gathered, { root }), value]
  }),
  law('alltoall twice gives everybody his own', false, async (world, { each }) => [
    await world.ialltoall(await world.ialltoall(each)),
    [...each],
  ]),
  law('scan of the last rank is reduce', true, async (world, { value, op = SUM }) => {
    const last = world.size - 1
    const scanned = await world.iscan(value, op)
    const reduced = await world.ireduce(value, op, { root: last })
    return world.rank === last ? [scanned, reduced] : [0, 0]
  }),
  law('exscan of the next rank is scan', true, async (world, { value, op = SUM }) => {
    const scanned = await world.iallgather(await world.iscan(value, op))
    const before = await world.iexscan(value, op)
    return world.rank === 0 ? [before, undefined] : [before, scanned[world.rank - 1]]
  }),
  law('reduceScatter is reduce, then scatter', true, async (world, { each, op = SUM, root }) => {
    const parts: unknown[] = []
    for (const one of each) parts.push(await world.ireduce(one, op, { root }))
    const mine = await world.iscatter(world.rank === root ? parts : undefined, { root })
    return [await world.ireduceScatter(each, op), mine]
  }),
  law('scatter is alltoall from the root', false, async (world, { each, root }) => {
    const all = await world.ialltoall(each)
    const mine = await world.iscatter(world.rank === root ? [...each] : undefined, { root })
    return [mine, all[root]]
  }),
]

function law(name: string, associative: boolean, sides: Law['sides']): Law {
  return { name, associative, sides }
}
