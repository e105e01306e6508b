import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT } from '../plan/buffer.js'

/**
 * Each rank hands on to the one above what it got from the one below in the round before.
 *
 * ```
 *   p = 3   round 0   0 -a-> 1    1 -b-> 2    2 -c-> 0
 *           round 1   0 -c-> 1    1 -a-> 2    2 -b-> 0
 * ```
 */
export const ring: Algorithm = defineCollective({
  collective: 'allgather',
  name: 'ring',
  title: 'ring',
  source: 'Thakur, Rabenseifner, Gropp 2005',
  use: 'long blocks, and networks where only neighbours are near',
  cost: 'p - 1 rounds of b',
  rounds: ({ size }) => Math.max(1, size - 1),
  volume: ({ size }) => size - 1,
  round(k, { size, rank }, emit) {
    if (k === 0) emit.copy(IN, 0, OUT, rank)
    if (size === 1) return
    const given = (rank + size - k) % size
    const taken = (rank + size - 1 - k) % size
    emit.receive((rank + size - 1) % size, OUT, taken)
    emit.send((rank + 1) % size, OUT, given)
  },
})
