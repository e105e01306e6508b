import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, LOWER, OUT, TMP } from '../plan/buffer.js'
import { ceilLog } from '../pattern/logarithm.js'

/** Blocks of `TMP`: what is sent in the first two rounds, and what comes in. */
const GIVEN = 0
const INCOMING = 1

/**
 * Skips 1, 2, 3, 6, 12, ...: first each rank sends its own, then its own with the one below, and from
 * then on its result as far as it has it, so that nothing is folded only to be sent.
 *
 * ```
 *   p = 8     round 0    r -> r + 1    gives r                  then r has r - 1
 *             round 1    r -> r + 2    gives r - 1 and r        r - 3 to r - 1
 *             round 2    r -> r + 3    gives r - 3 to r - 1     r - 6 to r - 1
 *             round 3    r -> r + 6    gives r - 6 to r - 1     r - 12 to r - 1, which is all
 * ```
 */
export const oneTwoThreeDoubling: Algorithm = defineCollective({
  collective: 'exscan',
  name: 'one-two-three-doubling',
  title: '123-doubling',
  source: 'Träff 2025',
  use: 'any number of ranks',
  cost: 'ceil(log2 (p - 1) + log2 4/3) rounds of m, at most as many reductions',
  scratch: () => [0, 0],
  rounds: roundsOf,
  volume: roundsOf,
  round(k, { size, rank }, emit) {
    const skip = k < 2 ? k + 1 : 3 * 2 ** (k - 2)
    const sends = rank + skip < size
    if (k === 0) {
      emit.copy(IN, 0, TMP, GIVEN)
      if (sends) emit.send(rank + 1, TMP, GIVEN)
      if (rank > 0) emit.receive(rank - 1, OUT, 0)
      return
    }
    if (k === 1 && sends) {
      if (rank > 0) emit.reduce(OUT, 0, TMP, GIVEN, 1, LOWER)
      emit.send(rank + skip, TMP, GIVEN)
    } else if (sends && rank > 0) emit.send(rank + skip, OUT, 0)
    // After the first two rounds rank 0 has nothing to give.
    if (rank < skip || (k > 1 && rank === skip)) return
    emit.receive(rank - skip, TMP, INCOMING)
    emit.reduce(TMP, INCOMING, OUT, 0, 1, LOWER)
  },
})

/** All have skip - 1 ranks or more by then: 3 2^(k - 2) >= p - 1. */
function roundsOf({ size }: { readonly size: number }): number {
  return size <= 3 ? size - 1 : 2 + ceilLog(Math.ceil((size - 1) / 3), 2)
}
