import { SUM, type Mpi } from '@commworld/mpi'

/** Plain verbs of every family; what each rank got, and when it was through. */
export default function main({ world, wtime, compute, alloc, args }: Mpi) {
  const { rank, size } = world
  const [right, left] = [(rank + 1) % size, (rank + size - 1) % size]
  const start = wtime()
  compute(1e-3)
  const computed = wtime() - start
  world.barrier()
  if (rank === 0) world.send({ from: 0 }, { dest: right })
  const value = world.recv<{ from: number }>({ source: left })
  if (rank !== 0) world.send({ from: rank }, { dest: right })
  const long = alloc(Float64Array, 20_000).fill(rank)
  const into = alloc(Float64Array, 20_000)
  const receive = world.irecvInto(into, { source: left })
  world.send(long, { dest: right })
  const { bytes } = receive.wait()
  const sum = world.allreduce(rank, SUM)
  world.allreduceInto(long, into, SUM)
  const request = world.irecv<number>({ source: left, tag: 9 })
  compute(rank * 1e-6)
  world.send(rank, { dest: right, tag: 9 })
  while (!request.test());
  if (args[0] === 'stuck') world.recv({ source: left, tag: 10 })
  return {
    computed,
    from: value.from,
    bytes,
    sum,
    into: into[1],
    polled: request.wait(),
    now: wtime(),
  }
}
