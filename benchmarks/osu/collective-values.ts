/** The collectives of one number for each rank, where `collectives.ts` has those of memory. */
import { SUM, type Communicator } from '@commworld/mpi'
import type { CollectiveName } from './collectives.js'
import type { CallOptions } from './operands.js'

type ValueCall = (world: Communicator, options: CallOptions) => () => unknown

export const VALUE_CALLS: Readonly<Record<CollectiveName, ValueCall>> = {
  barrier: (world, options) => () => world.barrier(options),
  bcast: (world, options) => () => world.bcast(world.rank === 0 ? 17 : undefined, options),
  gather: (world, options) => () => world.gather(world.rank, options),
  scatter: (world, options) => {
    const values = world.rank === 0 ? oneEach(world) : undefined
    return () => world.scatter(values, options)
  },
  allgather: (world, options) => () => world.allgather(world.rank, options),
  alltoall: (world, options) => {
    const values = oneEach(world)
    return () => world.alltoall(values, options)
  },
  reduce: (world, options) => () => world.reduce(world.rank, SUM, options),
  allreduce: (world, options) => () => world.allreduce(world.rank, SUM, options),
  reduceScatterBlock: reduceScatter,
  reduceScatter,
  scan: (world, options) => () => world.scan(world.rank, SUM, options),
  exscan: (world, options) => () => world.exscan(world.rank, SUM, options),
}

function reduceScatter(world: Communicator, options: CallOptions): () => unknown {
  const values = oneEach(world)
  return () => world.reduceScatter(values, SUM, options)
}

function oneEach({ size }: Communicator): number[] {
  return Array.from({ length: size }, (_, rank) => rank)
}
