import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { HIGHER, IN, LOWER, OUT, TMP } from '../plan/buffer.js'

/**
 * All send to the root, which folds what comes in the order of ranks, as a loop over them would: the
 * ranks below it first, apart from its own vector, which may lie in the output.
 *
 * ```
 *   p = 5, root 2     ((((0 1) 2) 3) 4)
 * ```
 */
export const linear: Algorithm = defineCollective({
  collective: 'reduce',
  name: 'linear',
  title: 'linear',
  source: 'folklore',
  use: 'few ranks, and results that are the same as those of a loop',
  cost: '1 round of m, p - 1 of them received and folded by the root',
  scratch: ({ rank, root }) => (rank === root && root > 0 ? [0] : []),
  rounds: () => 1,
  volume: ({ size }) => (size === 1 ? 0 : 1),
  round(_, { size, rank, root }, emit) {
    if (rank !== root) return emit.send(root, IN, 0)
    emit.copy(IN, 0, OUT, 0)
    if (root > 0) {
      emit.receive(0, TMP, 0)
      for (let r = 1; r < root; r++) emit.receiveReduce(r, TMP, 0, 1, HIGHER)
      emit.reduce(TMP, 0, OUT, 0, 1, LOWER)
    }
    for (let r = root + 1; r < size; r++) emit.receiveReduce(r, OUT, 0, 1, HIGHER)
  },
})
