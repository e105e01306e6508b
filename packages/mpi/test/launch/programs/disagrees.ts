import { Op, PROD, SUM, type Communicator, type Mpi } from '@commworld/mpi'

/** Each is wrong in one way, on the last rank. Before it comes a collective that all agree on. */
const cases: Record<string, (world: Communicator, odd: boolean) => PromiseLike<unknown>> = {
  operation: (world, odd) => (odd ? world.ialltoall(everybody(world)) : world.iallreduce(1, SUM)),
  root: (world, odd) => (odd ? world.ibcast(1, { root: 1 }) : world.ibcast(1)),
  reduction: (world, odd) => world.iallreduce(world.rank, odd ? PROD : SUM),
  kind: (world, odd) => world.ibcastInto(odd ? new Float32Array(4) : new Float64Array(4)),
  count: (world, odd) => world.ibcastInto(new Float64Array(odd ? 3 : 4)),
  form: (world, odd) => (odd ? world.ibarrier() : world.barrierInit().start()),
  family: (world, odd) => (odd ? world.ibcast(1) : world.ibcastInto(new Float64Array(1))),
  algorithm: (world, odd) => world.ibarrier({ algorithm: odd ? 'tree' : 'dissemination' }),
  function: (world, odd) => world.iallreduce(1, odd ? difference : sum),
}

const sum = Op.create((lower: number, higher: number) => lower + higher, { name: 'mine' })
const difference = Op.create((lower: number, higher: number) => lower - higher, { name: 'mine' })

const everybody = ({ size }: Communicator) => Array.from({ length: size }, (_, rank) => rank)

export default async function main({ world, args }: Mpi) {
  await world.ibarrier()
  if (args[0] === 'caught') return await caught(world)
  await cases[args[0]!]!(world, world.rank === world.size - 1)
}

/** An error that a program has looked at is its own affair. */
async function caught(world: Communicator): Promise<void> {
  try {
    await (world.rank === 0 ? world.ibarrier() : world.ibcast(1))
  } catch {
    throw new Error(`rank ${world.rank} has seen it`)
  }
}
