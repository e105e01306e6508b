import { waitAll, type Mpi, type Request } from '@commworld/mpi'

export interface Flood {
  /** Whether the message with the other tag came first and the others in the order of sending. */
  inOrder: boolean
  heapBytes: number
}

/** Rank 0 sends very many messages with tag 1 and then one with tag 2, which rank 1 takes first. */
export default function main({ world, args }: Mpi): Flood {
  const messages = Number(args[0])
  return world.rank === 0 ? send() : receive()

  function send(): Flood {
    const requests: Request<void>[] = []
    for (let i = 0; i < messages; i++) requests.push(world.isend(i, { dest: 1, tag: 1 }))
    requests.push(world.isend('last', { dest: 1, tag: 2 }))
    const heapBytes = process.memoryUsage().heapUsed
    waitAll(requests)
    return { inOrder: true, heapBytes }
  }

  function receive(): Flood {
    let inOrder = world.recv({ source: 0, tag: 2 }) === 'last'
    const heapBytes = process.memoryUsage().heapUsed
    for (let i = 0; i < messages; i++) {
      if (world.recv({ source: 0, tag: 1 }) !== i) inOrder = false
    }
    return { inOrder, heapBytes }
  }
}
