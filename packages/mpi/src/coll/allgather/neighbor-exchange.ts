import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT } from '../plan/buffer.js'
import { neighborExchange as exchange } from '../pattern/neighbor-exchange.js'

/**
 * Neighbours exchange their own blocks; then each rank gives to either neighbour in turn the two
 * blocks that it got last from the other.
 *
 * ```
 *   p = 6   round 0   0 = 1   2 = 3   4 = 5        one block each
 *           round 1   1 = 2   3 = 4   5 = 0        two
 *           round 2   0 = 1   2 = 3   4 = 5        two
 * ```
 */
export const neighborExchange: Algorithm = defineCollective({
  collective: 'allgather',
  name: 'neighbor-exchange',
  title: 'neighbor exchange',
  source: 'Chen, Zhang, Zhang, Yuan 2005',
  use: 'long blocks on an even number of ranks, in half the rounds of a ring',
  cost: 'p / 2 rounds, (p - 1) b',
  needs: { evenSize: true },
  rounds: ({ size }) => size / 2,
  volume: ({ size }) => size - 1,
  round(k, { size, rank }, emit) {
    const { peer, given, taken } = exchange(k, size, rank)
    if (k === 0) {
      emit.copy(IN, 0, OUT, rank)
      emit.receive(peer, OUT, peer)
      emit.send(peer, OUT, rank)
    } else {
      emit.receive(peer, OUT, taken, 2)
      emit.send(peer, OUT, given, 2)
    }
  },
})
