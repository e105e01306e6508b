import type { Wait } from '../record/rank-snapshot.js'

/**
 * What a rank waits for that has sends under way as well. It sends on what waits for their buffers while
 * it waits, whichever rank sets one free: so it is stuck only when none of those can go on either.
 *
 * @param holders ranks of the world
 */
export function orUnsent(wait: Wait, holders: readonly number[]): Wait {
  if (holders.length === 0 || wait.arcs.length === 0) return wait
  const operation = { ...wait.arcs[0]!.operation }
  return { mode: 'or', arcs: [...wait.arcs, { peer: 'any', members: holders, operation }] }
}
