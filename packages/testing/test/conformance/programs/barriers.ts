import type { Mpi } from '@commworld/mpi'
import { drawing, turns } from '@commworld/testing'

/** Barriers by some algorithms, several times each. Whether verbs block is a matter of the carrier. */
export interface Barriers {
  readonly algorithms: readonly string[]
  readonly rounds: number
  readonly seed: number
  readonly blocks: boolean
}

/**
 * Counts in memory that all ranks see: whoever leaves a barrier must find that all have come to it.
 *
 * @throws when somebody has left too early
 */
export async function meet({ world, alloc }: Mpi, barriers: Barriers): Promise<number> {
  const { algorithms, rounds, seed, blocks } = barriers
  const { rank, size } = world
  const draw = drawing(seed * 100 + rank)
  const own = alloc(Int32Array, 1)
  const place = await world.ibcast(own.byteOffset)
  const arrived = new Int32Array(own.buffer, place, 1)
  for (let round = 0; round < rounds; round++) {
    for (const [index, algorithm] of algorithms.entries()) {
      await turns(draw(4) === 0 ? draw(4) : 0)
      Atomics.add(arrived, 0, 1)
      if (blocks) world.barrier({ algorithm })
      else await world.ibarrier({ algorithm })
      const all = size * (round * algorithms.length + index + 1)
      const seen = Atomics.load(arrived, 0)
      if (seen < all) {
        throw new Error(`rank ${rank} left ${algorithm} ${round} when ${seen} of ${all} had come`)
      }
    }
  }
  return rounds
}

export default meet
