import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, LOWER, OUT } from '../plan/buffer.js'

/**
 * Each block goes twice around the ring: first it is folded from rank to rank, beginning behind the
 * one whose number it bears and ending there, then its result is handed on.
 *
 * ```
 *   p = 3   fold       0 -c-> 1    1 -a-> 2    2 -b-> 0
 *                      0 -b-> 1    1 -c-> 2    2 -a-> 0      0 has a, 1 has b, 2 has c
 *           hand on    0 -a-> 1    1 -b-> 2    2 -c-> 0
 *                      0 -c-> 1    1 -a-> 2    2 -b-> 0
 * ```
 */
export const ring: Algorithm = defineCollective({
  collective: 'allreduce',
  name: 'ring',
  title: 'ring',
  source: 'Patarasuk, Yuan 2009',
  use: 'very long vectors on few ranks, and networks where only neighbours are near',
  cost: '2 (p - 1) rounds, 2 (p - 1)/p m',
  needs: { commutative: true },
  cut: ({ size }) => size,
  rounds: ({ size }) => Math.max(1, 2 * (size - 1)),
  volume: ({ size }) => 2 * (size - 1),
  round(k, { size, rank }, emit) {
    if (k === 0) emit.copy(IN, 0, OUT, 0, size)
    if (size === 1) return
    const right = (rank + 1) % size
    const left = (rank + size - 1) % size
    const folds = k < size - 1
    const given = (rank + 2 * size - 1 - k) % size
    const taken = (rank + 2 * size - 2 - k) % size
    if (folds) emit.receiveReduce(left, OUT, taken, 1, LOWER)
    else emit.receive(left, OUT, taken)
    emit.send(right, OUT, given)
  },
})
