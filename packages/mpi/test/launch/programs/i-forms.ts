import { SUM, type Mpi } from '@commworld/mpi'

/** Ranks that await everything run on a thread of their own and on a shared one. */
export default async function main({ world, args: [end] }: Mpi): Promise<void> {
  const { rank, size } = world
  const right = (rank + 1) % size
  const sum = await world.iallreduce(rank, SUM)
  process.stdout.write(`rank ${rank}: `)
  await world.ibarrier()
  console.log(`sum ${sum}`)
  if (end === 'deadlock') await world.irecv({ source: right })
  if (end === 'throw' && rank === 1) throw new Error('thrown by a coroutine')
  if (end === 'block') world.recv({ source: right })
  if (end === 'poll') while (!world.iprobe({ source: right })) continue
  if (end === 'abort' && rank === 1) world.abort(4)
  if (end === 'compute') for (let total = 0; ;) total += Math.sqrt(total)
}
