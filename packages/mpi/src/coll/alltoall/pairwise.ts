import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT } from '../plan/buffer.js'
import { powerOfTwo } from '../pattern/power-of-two.js'

/**
 * One exchange a round, begun when the one before has ended. On a power of two of ranks partners
 * send to each other; otherwise each sends some distance up and receives from as far below.
 *
 * ```
 *   p = 4   round 0   0 = 1   2 = 3        p = 3   round 0   r -> r + 1
 *           round 1   0 = 2   1 = 3                round 1   r -> r + 2      (modulo 3)
 *           round 2   0 = 3   1 = 2
 * ```
 */
export const pairwise: Algorithm = defineCollective({
  collective: 'alltoall',
  name: 'pairwise',
  title: 'pairwise exchange',
  source: 'Thakur, Rabenseifner, Gropp 2005',
  use: 'long blocks',
  cost: 'p - 1 rounds of b',
  rounds: ({ size }) => Math.max(1, size - 1),
  volume: ({ size }) => size - 1,
  round(k, { size, rank }, emit) {
    if (k === 0) emit.copy(IN, rank, OUT, rank)
    else emit.fence()
    if (size === 1) return
    const distance = k + 1
    const exchanges = powerOfTwo(size).extra === 0
    const to = exchanges ? rank ^ distance : (rank + distance) % size
    const from = exchanges ? to : (rank + size - distance) % size
    emit.receive(from, OUT, from)
    emit.send(to, IN, to)
  },
})
