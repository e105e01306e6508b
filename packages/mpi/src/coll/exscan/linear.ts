import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, LOWER, OUT, TMP } from '../plan/buffer.js'

/**
 * Each rank in its turn receives its result and passes it on, folded with its own, which it has put
 * aside because its result may overwrite it.
 *
 * ```
 *   p = 4     0 -> 1 -> 2 -> 3
 * ```
 */
export const linear: Algorithm = defineCollective({
  collective: 'exscan',
  name: 'linear',
  title: 'linear chain',
  source: 'folklore',
  use: 'few ranks, and reductions so costly that each operand should be folded once',
  cost: 'p - 1 rounds of m',
  scratch: ({ size, rank }) => (rank > 0 && rank < size - 1 ? [0] : []),
  rounds: ({ size }) => size - 1,
  volume: ({ size }) => (size === 1 ? 0 : 1),
  round(k, { size, rank }, emit) {
    const passesOn = rank > 0 && rank < size - 1
    if (k === 0 && passesOn) emit.copy(IN, 0, TMP, 0)
    if (rank === k + 1) {
      emit.receive(rank - 1, OUT, 0)
      if (passesOn) emit.reduce(OUT, 0, TMP, 0, 1, LOWER)
    }
    if (rank === k && rank < size - 1) emit.send(rank + 1, rank === 0 ? IN : TMP, 0)
  },
})
