import { leftFold } from '../pattern/left-fold.js'
import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT, SLOT } from '../plan/buffer.js'

/**
 * Each rank folds its own block over all ranks, from their slots or from their memory.
 *
 * ```
 *   p = 3     r: publish | fold block r of 0, 1, 2      then, unless from slots, all meet
 * ```
 */
export const direct: Algorithm = defineCollective({
  collective: 'reduceScatter',
  name: 'direct',
  title: 'direct (each folds its block)',
  source: 'Li, Hoefler, Hu, Snir 2014 (tiled reduce)',
  use: 'ranks that share memory',
  cost: '1 round (2 of long blocks), p b read by each',
  needs: { sharedMemory: true },
  rounds: () => 1,
  volume: ({ size }) => size,
  round(_, { size, rank, slots }, emit) {
    const from = slots ? SLOT : IN
    if (slots) emit.copy(IN, 0, SLOT, 0, size)
    emit.publish(0)
    leftFold(emit, { ranks: size, from, index: rank, to: OUT, toIndex: 0, stage: 0 })
    if (!slots) emit.meet(1)
  },
})
