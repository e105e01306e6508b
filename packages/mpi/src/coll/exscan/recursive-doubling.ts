import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, LOWER, OUT, TMP } from '../plan/buffer.js'
import { ceilLog } from '../pattern/logarithm.js'

/** Blocks of `TMP`: the last 2^k ranks up to this one, and what comes in. */
const INCLUSIVE = 0
const INCOMING = 1

/**
 * The inclusive scan by recursive doubling, with what comes in folded into the result as well: that is
 * the same without the rank's own.
 *
 * ```
 *   p = 5     round 0: r -> r + 1     round 1: r -> r + 2     round 2: r -> r + 4      (as far as p - 1)
 * ```
 */
export const recursiveDoubling: Algorithm = defineCollective({
  collective: 'exscan',
  name: 'recursive-doubling',
  title: 'recursive doubling',
  source: 'Kogge, Stone 1973; Träff 2025 (two-operation doubling)',
  use: 'ranks so many that one round less is worth twice the reductions',
  cost: 'ceil(log2 p) rounds of m, twice as many reductions',
  scratch: () => [0, 0],
  rounds: ({ size }) => ceilLog(size, 2),
  volume: ({ size }) => ceilLog(size, 2),
  round(k, { size, rank }, emit) {
    const step = 2 ** k
    if (k === 0) emit.copy(IN, 0, TMP, INCLUSIVE)
    if (rank + step < size) emit.send(rank + step, TMP, INCLUSIVE)
    if (rank < step) return
    emit.receive(rank - step, TMP, INCOMING)
    if (k === 0) emit.copy(TMP, INCOMING, OUT, 0)
    else emit.reduce(TMP, INCOMING, OUT, 0, 1, LOWER)
    if (rank + 2 * step < size) emit.reduce(TMP, INCOMING, TMP, INCLUSIVE, 1, LOWER)
  },
})
