import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, LOWER, OUT, TMP } from '../plan/buffer.js'

/**
 * Each block goes once around the ring and is folded from rank to rank, beginning behind the one
 * whose it is and ending there.
 *
 * ```
 *   p = 3   round 0   0 -c-> 1    1 -a-> 2    2 -b-> 0
 *           round 1   0 -b-> 1    1 -c-> 2    2 -a-> 0      0 has a, 1 has b, 2 has c
 * ```
 */
export const ring: Algorithm = defineCollective({
  collective: 'reduceScatter',
  name: 'ring',
  title: 'ring',
  source: 'Patarasuk, Yuan 2009',
  use: 'long blocks, and networks where only neighbours are near',
  cost: 'p - 1 rounds of b',
  needs: { commutative: true },
  scratch: ({ size }) => Array.from({ length: size }, (_, block) => block),
  rounds: ({ size }) => Math.max(1, size - 1),
  volume: ({ size }) => size - 1,
  round(k, { size, rank }, emit) {
    const given = (rank + 2 * size - 1 - k) % size
    const taken = (rank + 2 * size - 2 - k) % size
    const [room, at] = k >= size - 2 ? ([OUT, 0] as const) : ([TMP, taken] as const)
    emit.copy(IN, taken, room, at)
    if (size === 1) return
    emit.receiveReduce((rank + size - 1) % size, room, at, 1, LOWER)
    emit.send((rank + 1) % size, k === 0 ? IN : TMP, given)
  },
})
