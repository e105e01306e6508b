import { defineCollective, HIGHER, IN, OUT, TMP, type Algorithm } from '@commworld/mpi/plan'

/**
 * Everybody sends to everybody, and folds what has come in the order of ranks.
 *
 * ```
 *   p = 3     0 -a-> 1, 2     1 -b-> 0, 2     2 -c-> 0, 1     then (a b) c everywhere
 * ```
 */
export const allgatherFold: Algorithm = defineCollective({
  collective: 'allreduce',
  name: 'allgather-fold',
  title: 'allgather and fold',
  source: 'folklore',
  use: 'very short vectors on few ranks, and results that are those of a loop over the ranks',
  cost: '1 round of p - 1 messages, (p - 1) m; p - 1 reductions on every rank',
  scratch: ({ size }) => Array.from({ length: size }, () => 0),
  rounds: () => 1,
  volume: ({ size }) => size - 1,
  round(_, { size, rank }, emit) {
    for (let peer = 0; peer < size; peer++) {
      if (peer === rank) continue
      emit.receive(peer, TMP, peer)
      emit.send(peer, IN, 0)
    }
    emit.copy(IN, 0, TMP, rank)
    emit.copy(TMP, 0, OUT, 0)
    for (let peer = 1; peer < size; peer++) emit.reduce(TMP, peer, OUT, 0, 1, HIGHER)
  },
})
