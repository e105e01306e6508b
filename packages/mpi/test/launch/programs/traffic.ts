import { SUM, type Mpi } from '@commworld/mpi'

/** Sends messages of many lengths round the ring; gives the bytes that this rank sent. */
export default function main({ world, args }: Mpi): number {
  const { rank, size } = world
  const lengths = JSON.parse(args[1]!) as number[]
  const next = (rank + 1) % size
  const last = (rank + size - 1) % size
  let sent = 0
  for (const [tag, length] of lengths.entries()) {
    const mine = new Uint8Array(length).fill(rank + tag)
    const theirs = new Uint8Array(length)
    const request = world.irecvInto(theirs, { source: last, tag })
    world.send(mine, { dest: next, tag })
    request.wait()
    if (theirs.some((byte) => byte !== ((last + tag) & 0xff))) throw new Error('not what was sent')
    sent += length
  }
  if (args[0] === 'collectives') {
    const sum = world.allreduce(new Float64Array(512).fill(rank), SUM)
    if (sum[0] !== (size * (size - 1)) / 2) throw new Error(`the sum is ${sum[0]}`)
    world.barrier()
  }
  if (args[0] === 'exit') process.exit(rank === 0 ? 3 : 0)
  return sent
}
