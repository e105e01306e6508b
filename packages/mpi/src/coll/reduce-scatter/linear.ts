import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { HIGHER, IN, OUT, TMP } from '../plan/buffer.js'

/**
 * Each rank gets from all others at once what is for it, and folds it from rank 0 upwards: the same
 * result as that of a loop.
 *
 * ```
 *   p = 3     0 -b-> 1, -c-> 2     1 -c-> 2, -a-> 0     2 -a-> 0, -b-> 1
 * ```
 */
export const linear: Algorithm = defineCollective({
  collective: 'reduceScatter',
  name: 'linear',
  title: 'linear',
  source: 'folklore',
  use: 'few ranks, and results that do not depend on how ranks are folded',
  cost: 'one round of p - 1 messages, (p - 1) b',
  scratch: ({ size, rank }) => Array.from({ length: size }, () => rank),
  rounds: () => 1,
  volume: ({ size }) => size - 1,
  round(_, { size, rank }, emit) {
    for (let distance = 1; distance < size; distance++) {
      const below = (rank + size - distance) % size
      emit.receive(below, TMP, below)
    }
    for (let distance = 1; distance < size; distance++) {
      const above = (rank + distance) % size
      emit.send(above, IN, above)
    }
    for (let origin = 0; origin < size; origin++) {
      const room = origin === rank ? IN : TMP
      if (origin === 0) emit.copy(room, 0, OUT, 0)
      else emit.reduce(room, origin, OUT, 0, 1, HIGHER)
    }
  },
})
