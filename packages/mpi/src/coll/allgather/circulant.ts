import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT } from '../plan/buffer.js'
import { circulantGather, circulantRounds } from '../pattern/circulant-exchange.js'

/**
 * The skips double, rounded so that the last round is as full as the others: a rank always has the
 * blocks from its own upwards and gives those that lack there to the rank at the skip below.
 *
 * ```
 *   p = 5     round 0: r -> r - 1     round 1: r -> r - 2     round 2: r -> r - 3      (modulo 5)
 *             block r                 block r                 blocks r and r + 1
 * ```
 */
export const circulant: Algorithm = defineCollective({
  collective: 'allgather',
  name: 'circulant',
  title: 'circulant',
  source: 'Träff 2024',
  use: 'blocks of any length on any number of ranks, when few rounds matter',
  cost: 'ceil(log2 p) rounds, (p - 1) b',
  rounds: ({ size }) => Math.max(1, circulantRounds(size)),
  volume: ({ size }) => size - 1,
  round(k, { size, rank }, emit) {
    if (k === 0) emit.copy(IN, 0, OUT, rank)
    if (size === 1) return
    const { to, given, from, taken, count } = circulantGather(k, size, rank)
    emit.receive(from, OUT, taken, count)
    emit.send(to, OUT, given, count)
  },
})
