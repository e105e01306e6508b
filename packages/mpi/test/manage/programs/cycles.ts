import { SUM, type Mpi } from '@commworld/mpi'

/** Makes and frees communicators of all kinds, many more than there is memory for at once. */
export default function main({ world, args }: Mpi): number {
  const large = 'x'.repeat(10_000)
  let sum = 0
  for (let round = 0; round < Number(args[0]); round++) {
    using half = world.split({ color: world.rank % 2, key: -world.rank })!
    using dup = half.dup()
    using grid = dup.createCart({ dims: [dup.size] })!
    using group = grid.createGroup(grid.group)!
    sum += group.allreduce(1, SUM)
    // Values that find no room on the board are kept for the others.
    if (round % 16 === 0 && dup.bcast(large, { root: round % dup.size }) !== large) return -1
  }
  return sum
}
