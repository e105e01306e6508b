import { ANY_SOURCE, SUM, type Mpi } from '@commworld/mpi'

declare global {
  var leftBehind: number | undefined
}

/** Does what a test asks for. */
export default function main({ world }: Mpi, what: string, step = 1): unknown {
  const { rank, size } = world
  switch (what) {
    case 'sum':
      return world.allreduce(rank * step, SUM)
    case 'order': {
      if (rank > 0) return void world.send(rank, { dest: 0 })
      const order: number[] = []
      for (let i = 1; i < size; i++) order.push(world.recv<number>({ source: ANY_SOURCE }))
      return order
    }
    case 'poll': {
      if (rank === size - 1) {
        for (let dest = 0; dest < rank; dest++) world.send(dest, { dest })
        return undefined
      }
      const request = world.irecv<number>({ source: size - 1 })
      while (!request.test());
      return request.wait()
    }
    case 'throw':
      if (rank === 1) throw new RangeError('on purpose')
      world.barrier()
      return undefined
    case 'deadlock':
      return world.recv({ source: (rank + 1) % size })
    case 'endless':
      if (rank === 0) for (;;);
      world.barrier()
      return undefined
    case 'leftover':
      if (rank === 0) world.send(1, { dest: 1 })
      return undefined
    case 'global':
      globalThis.leftBehind = (globalThis.leftBehind ?? 0) + 1
      return globalThis.leftBehind
    case 'random':
      if (rank === 0) world.send(0, { dest: 1, tag: Math.floor(Math.random() * 1e6) })
      return rank === 1 ? world.recv({ source: 0 }) : undefined
    default:
      throw new Error(`nothing is called ${what}`)
  }
}
