import type { Emit } from '../plan/algorithm.js'
import { HIGHER, type Buffer } from '../plan/buffer.js'

export interface LeftFold {
  /** Ranks 0 to `ranks - 1` are folded. */
  readonly ranks: number
  /** The block of each of them. */
  readonly from: Buffer
  readonly index: number
  /** Where the result goes: not where any of them but rank 0 reads its own. */
  readonly to: Buffer
  readonly toIndex: number
  /** The stage that each is waited for; already reached when left out. */
  readonly stage?: number
}

/**
 * Folds a block of the first ranks in the order of ranks, from the left, as a program with one rank
 * would: ((x0 op x1) op x2) op x3. So the reduction need not commute, and the bits of the result depend
 * neither on who folds nor on how a vector is cut.
 */
export function leftFold(emit: Emit, { ranks, from, index, to, toIndex, stage }: LeftFold): void {
  for (let peer = 0; peer < ranks; peer++) {
    if (stage !== undefined) emit.awaitPublished(peer, stage)
    if (peer === 0) emit.get(peer, from, index, to, toIndex)
    else emit.getReduce(peer, from, index, to, toIndex, 1, HIGHER)
  }
}
