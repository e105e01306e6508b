import type { Mpi } from '@commworld/mpi'

/** Rank 0 leaves something undone, which the first argument names; rank 1 is gone before. */
export default async function main({ world, args: [what] }: Mpi): Promise<void> {
  const { rank } = world
  if (what === 'exit') setTimeout(() => process.exit(rank * 6), rank === 1 ? 20 : 300)
  if (rank === 1) return
  await new Promise((resolve) => setTimeout(resolve, 100))
  if (what === 'message') world.send('for nobody', { dest: 1 })
  if (what === 'request') world.irecv({ source: 1 })
}
