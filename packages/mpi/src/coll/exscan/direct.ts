import { leftFold } from '../pattern/left-fold.js'
import { tileBlocks, tiledCut, tileLength } from '../pattern/tiles.js'
import { defineCollective, type Algorithm, type Emit, type Environment } from '../plan/algorithm.js'
import { HIGHER, IN, OUT, SLOT, TMP } from '../plan/buffer.js'

/**
 * Short vectors: each rank folds the slots below its own. Long ones: each rank computes the prefixes
 * of its tile for all ranks, and puts each into the output of the rank above as soon as it is there.
 * In place that overwrites an input which is folded only afterwards, so it is taken aside first.
 * Nothing is put into the output of rank 0.
 *
 * ```
 *   p = 3     slots     r: slot r | publish | fold slots 0 .. r - 1
 *             memory    all meet | r: tile r of x0 to 1, of x0 x1 to 2 | all meet
 * ```
 */
export const direct: Algorithm = defineCollective({
  collective: 'exscan',
  name: 'direct',
  title: 'direct (slots, or tiled)',
  source: 'Li, Hoefler, Hu, Snir 2014 (tiles, here of prefixes)',
  use: 'ranks that share memory',
  cost: '1 round and (p - 1) m read by the last rank, or 2 and m read and m written by each',
  needs: { sharedMemory: true },
  cut: tiledCut,
  wholeInSlots: true,
  scratch: (env) => (env.slots ? [] : [...tileBlocks(env), ...tileBlocks(env)]),
  rounds: (env) => (env.slots ? 1 : tileLength(env)),
  volume: (env) => (env.size - 1) * (env.slots ? 1 : 2 * tileLength(env)),
  round(k, env, emit) {
    if (env.slots) foldSlots(env, emit)
    else scanTile(k, env, emit)
  },
})

function foldSlots({ rank }: Environment, emit: Emit): void {
  emit.copy(IN, 0, SLOT, 0)
  emit.publish(0)
  leftFold(emit, { ranks: rank, from: SLOT, index: 0, to: OUT, toIndex: 0, stage: 0 })
}

/** Round k is block k of the tile. */
function scanTile(k: number, env: Environment, emit: Emit): void {
  const { size } = env
  const tile = tileBlocks(env)
  const block = tile[k]
  if (k === 0) emit.meet(0)
  if (block !== undefined) {
    const prefix = k
    const aside = tile.length + k
    for (let peer = 1; peer < size; peer++) {
      if (peer === 1) emit.get(0, IN, block, TMP, prefix)
      else emit.reduce(TMP, aside, TMP, prefix, 1, HIGHER)
      if (peer < size - 1) emit.get(peer, IN, block, TMP, aside)
      emit.put(peer, TMP, prefix, OUT, block)
    }
  }
  if (k === tileLength(env) - 1) emit.meet(1)
}
