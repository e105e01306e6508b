import type { Mpi } from '@commworld/mpi'

// MISTAKE: both send first. While messages are small they are buffered, so that `send` returns early
// and all seems well. A large one waits for its receive, and the same program hangs.
export default function main({ world, args }: Mpi) {
  const length = Number(args[0] ?? 100_000)
  const other = 1 - world.rank
  world.send(new Float64Array(length).fill(world.rank), { dest: other })
  const theirs = world.recv<Float64Array>({ source: other })
  console.log(`rank ${world.rank} got ${theirs.length} numbers from rank ${theirs[0]}`)
}
