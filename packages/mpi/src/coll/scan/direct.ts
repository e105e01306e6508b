import { leftFold } from '../pattern/left-fold.js'
import { tileBlocks, tiledCut, tileLength } from '../pattern/tiles.js'
import { defineCollective, type Algorithm, type Emit, type Environment } from '../plan/algorithm.js'
import { HIGHER, IN, OUT, SLOT, TMP } from '../plan/buffer.js'

/**
 * Short vectors: each rank folds the slots up to its own. Long ones: each rank computes the prefixes of
 * its tile for all ranks, and puts each into the output of its rank as soon as it is there. In place
 * the input of a rank is overwritten by that when it has been folded already.
 *
 * ```
 *   p = 3     slots     r: slot r | publish | fold slots 0 .. r
 *             memory    all meet | r: tile r of x0 to 0, of x0 x1 to 1, of x0 x1 x2 to 2 | all meet
 * ```
 */
export const direct: Algorithm = defineCollective({
  collective: 'scan',
  name: 'direct',
  title: 'direct (slots, or tiled)',
  source: 'Li, Hoefler, Hu, Snir 2014 (tiles, here of prefixes)',
  use: 'ranks that share memory',
  cost: '1 round and p m read by the last rank, or 2 and m read and m written by each',
  needs: { sharedMemory: true },
  cut: tiledCut,
  wholeInSlots: true,
  scratch: (env) => (env.slots ? [] : tileBlocks(env)),
  rounds: (env) => (env.slots ? 1 : tileLength(env)),
  volume: (env) => (env.slots ? env.size : 2 * env.size * tileLength(env)),
  round(k, env, emit) {
    if (env.slots) foldSlots(env, emit)
    else scanTile(k, env, emit)
  },
})

function foldSlots({ rank }: Environment, emit: Emit): void {
  emit.copy(IN, 0, SLOT, 0)
  emit.publish(0)
  leftFold(emit, { ranks: rank + 1, from: SLOT, index: 0, to: OUT, toIndex: 0, stage: 0 })
}

/** Round k is block k of the tile. */
function scanTile(k: number, env: Environment, emit: Emit): void {
  const block = tileBlocks(env)[k]
  if (k === 0) emit.meet(0)
  if (block !== undefined) {
    for (let peer = 0; peer < env.size; peer++) {
      if (peer === 0) emit.get(peer, IN, block, TMP, k)
      else emit.getReduce(peer, IN, block, TMP, k, 1, HIGHER)
      emit.put(peer, TMP, k, OUT, block)
    }
  }
  if (k === tileLength(env) - 1) emit.meet(1)
}
