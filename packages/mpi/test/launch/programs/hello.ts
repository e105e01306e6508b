import type { Mpi } from '@commworld/mpi'

export default function main({ world, args }: Mpi) {
  console.log(`rank ${world.rank} of ${world.size} ${args.join(' ')}`.trimEnd())
}
