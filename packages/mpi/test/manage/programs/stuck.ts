import type { Mpi } from '@commworld/mpi'

/** Ranks that wait in vain on communicators of their own; which ones says the argument. */
export default function main({ world, args }: Mpi): void {
  const half = world.split({ color: world.rank % 2, key: -world.rank })!
  half.name = world.rank % 2 === 0 ? 'even' : 'odd'
  switch (args[0]) {
    case 'collective':
      if (world.rank === 4) half.recv({ source: 1 })
      half.barrier()
      break
    case 'receive':
      if (world.rank === 2) half.recv({ source: 0 })
      if (world.rank === 4) half.recv({ source: 1 })
      break
    case 'split':
      if (world.rank === 1) half.split({ color: 0 })
      break
  }
}
