import { waitAll, type Mpi } from '@commworld/mpi'

/**
 * Rank 0 sends short messages, fewer than its peers have credit for, and completes each before the
 * next; rank 1 takes the last one first. A send that waited for its receive would deadlock.
 */
export default function main({ world, alloc, args }: Mpi): number {
  const messages = Number(args[0])
  const registered = alloc(Float64Array, 1)
  const plain = new Float64Array(1)
  if (world.rank !== 0) {
    if (world.recv({ source: 0, tag: 1 }) !== 'last') throw new Error('another came first')
    for (let i = 0; i < messages; i++) {
      const value = world.recv<Float64Array | number>({ source: 0, tag: 0 })
      if ((typeof value === 'number' ? value : value[0]) !== i) throw new Error(`${i} is lost`)
    }
    return messages
  }
  for (let i = 0; i < messages; i++) {
    for (let dest = 1; dest < world.size; dest++) {
      registered[0] = i
      plain[0] = i
      const options = { dest, tag: 0 }
      if (i % 4 === 0) world.send(registered, options)
      else if (i % 4 === 1) world.send(plain, options)
      else if (i % 4 === 2) world.send(i, options)
      else waitAll([world.isend(registered, options)])
    }
  }
  for (let dest = 1; dest < world.size; dest++) world.send('last', { dest, tag: 1 })
  return messages
}
