import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { HIGHER, IN, OUT } from '../plan/buffer.js'
import { ceilLog } from '../pattern/logarithm.js'

/**
 * Up a binomial tree to rank 0 and down again. A rank folds the ranks just above those that it has
 * folded before, so their order is kept, and whole vectors move, so they may be values.
 *
 * ```
 *   p = 5   up      1 -> 0   3 -> 2        down    0 -> 4
 *                   2 -> 0                         0 -> 2
 *                   4 -> 0                         0 -> 1   2 -> 3
 * ```
 */
export const reduceBcast: Algorithm = defineCollective({
  collective: 'allreduce',
  name: 'reduce-bcast',
  title: 'reduce and broadcast',
  source: 'folklore; Thakur, Rabenseifner, Gropp 2005',
  use: 'reductions so costly that each operand should be folded once',
  cost: '2 ceil(log2 p) rounds of m',
  rounds: ({ size }) => Math.max(1, 2 * ceilLog(size, 2)),
  volume: ({ size }) => ceilLog(size, 2),
  round(k, { size, rank }, emit) {
    if (k === 0) emit.copy(IN, 0, OUT, 0)
    if (size === 1) return
    const height = ceilLog(size, 2)
    const up = k < height
    const step = 2 ** (up ? k : 2 * height - 1 - k)
    if (rank % step !== 0) return
    const isChild = (rank / step) % 2 === 1
    if (isChild && up) emit.send(rank - step, OUT, 0)
    else if (isChild) emit.receive(rank - step, OUT, 0)
    else if (rank + step >= size) return
    else if (up) emit.receiveReduce(rank + step, OUT, 0, 1, HIGHER)
    else emit.send(rank + step, OUT, 0)
  },
})
