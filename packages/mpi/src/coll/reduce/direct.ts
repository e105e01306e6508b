import { leftFold } from '../pattern/left-fold.js'
import { tileBlocks, tiledCut, tileLength } from '../pattern/tiles.js'
import { defineCollective, type Algorithm, type Emit, type Environment } from '../plan/algorithm.js'
import { IN, OUT, SLOT, TMP } from '../plan/buffer.js'

/**
 * Short vectors: the root folds all slots. Long ones: each rank folds its tile of everybody's input
 * and puts it into the root's output, block by block. In place the root's input is overwritten by
 * that, but each tile by the only rank that reads it.
 *
 * ```
 *   p = 3, root 0     slots     all: slot | publish            0: fold slots 0, 1, 2
 *                     memory    all meet | r: fold tile r of 0, 1, 2, put it to 0 | all meet
 * ```
 */
export const direct: Algorithm = defineCollective({
  collective: 'reduce',
  name: 'direct',
  title: 'direct (slots, or tiled)',
  source: 'Li, Hoefler, Hu, Snir 2014 (tiled reduce)',
  use: 'ranks that share memory',
  cost: '1 round and p m read by the root, or 2 and m read and m / p written by each',
  needs: { sharedMemory: true },
  cut: tiledCut,
  wholeInSlots: true,
  scratch: (env) => (env.slots ? [] : tileBlocks(env)),
  rounds: (env) => (env.slots ? 1 : tileLength(env)),
  volume: (env) => (env.slots ? env.size : (env.size + 1) * tileLength(env)),
  round(k, env, emit) {
    if (env.slots) foldSlots(env, emit)
    else foldTile(k, env, emit)
  },
})

function foldSlots({ size, rank, root }: Environment, emit: Emit): void {
  emit.copy(IN, 0, SLOT, 0)
  emit.publish(0)
  if (rank !== root) return
  leftFold(emit, { ranks: size, from: SLOT, index: 0, to: OUT, toIndex: 0, stage: 0 })
}

/** Round k is block k of the tile. */
function foldTile(k: number, env: Environment, emit: Emit): void {
  const block = tileBlocks(env)[k]
  if (k === 0) emit.meet(0)
  if (block !== undefined) {
    leftFold(emit, { ranks: env.size, from: IN, index: block, to: TMP, toIndex: k })
    emit.put(env.root, TMP, k, OUT, block)
  }
  if (k === tileLength(env) - 1) emit.meet(1)
}
