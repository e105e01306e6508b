import type { Mpi } from '@commworld/mpi'

/** A message of so many MiB from plain memory into plain memory, and to itself. */
export default function main({ world, args }: Mpi): number {
  const length = Number(args[0]) * 2 ** 17
  const peer = world.size - 1 - world.rank
  const received = new Float64Array(length)
  const sent = new Float64Array(length)
  sent[0] = world.rank + 1
  sent[length - 1] = world.rank + 1
  world.sendrecvInto(sent, received, { dest: peer, source: peer })
  return received[0]! + received[length - 1]!
}
