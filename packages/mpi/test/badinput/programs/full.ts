import { NoMemoryError, type Mpi } from '@commworld/mpi'

/** Rank 1 uses up all registered memory; short messages go on, expected or not. */
export default function main({ world, alloc }: Mpi): number {
  if (world.rank === 1) {
    for (const bytes of [2 ** 20, 2 ** 16, 2 ** 12, 64]) while (allocates(bytes));
  }
  world.barrier()
  const messages = 200
  if (world.rank === 0) {
    for (let i = 0; i < messages; i++) world.send([i], { dest: 1, tag: i % 2 })
    return messages
  }
  let taken = 0
  // First those with tag 1: all others arrive while nobody waits for them.
  for (const tag of [1, 0]) {
    for (let i = tag; i < messages; i += 2) {
      if (world.recv<number[]>({ source: 0, tag })[0] === i) taken++
    }
  }
  return taken

  function allocates(bytes: number): boolean {
    try {
      alloc(Uint8Array, bytes)
      return true
    } catch (error) {
      if (error instanceof NoMemoryError) return false
      throw error
    }
  }
}
