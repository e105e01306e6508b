import { type Mpi } from '@commworld/mpi'

/** Returns or throws what the first argument names. */
export default async function main({ world, args: [what], alloc }: Mpi): Promise<unknown> {
  const { rank, size } = world
  switch (what) {
    case 'numbers':
      return rank * size
    case 'memory': {
      const field = alloc(Float64Array, 4).fill(rank)
      return { field, part: field.subarray(1, 3), map: new Map([[rank, new Date(rank)]]) }
    }
    case 'function':
      return () => rank
    case 'range':
      if (rank === 1) world.send(1, { dest: size })
      return world.recv({ source: 1 })
    case 'own-error':
      if (rank === 1) throw Object.assign(new TypeError('mine'), { details: { step: 3 } })
      return world.recv({ source: 1 })
    case 'text':
      if (rank === 1) throw 'a text'
      return world.recv({ source: 1 })
    case 'deadlock':
      return world.recv({ source: (rank + 1) % size, tag: 5 })
    case 'forever':
      return await new Promise((resolve) => setTimeout(resolve, 60_000))
    case 'abort':
      if (rank === 1) world.abort(6)
      return world.recv({ source: 1 })
    case 'timer':
      setInterval(() => {}, 1000)
      return 'returned'
    case 'unreceived':
      if (rank === 0) world.send(1, { dest: 1 })
      world.barrier()
      return undefined
    default:
      return process.argv.slice(2)
  }
}
