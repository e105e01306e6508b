import { leftFold } from '../pattern/left-fold.js'
import { tileBlocks, tiledCut, tileLength } from '../pattern/tiles.js'
import { defineCollective, type Algorithm, type Emit, type Environment } from '../plan/algorithm.js'
import { IN, OUT, SHARED, SLOT, TMP } from '../plan/buffer.js'

/** Above, one rank folds for all: everybody folding everything is p * p reads. */
const ALL_FOLD_RANKS_MAX = 8

/**
 * Short vectors: everybody folds all slots; of many ranks one does, whichever has the time. Long ones:
 * each rank folds its tile of everybody's input and puts it into all outputs, block by block. In
 * place inputs are overwritten by that, but each tile by the only rank that reads it.
 *
 * ```
 *   p = 3     slots     r: slot r | publish | fold slots 0, 1, 2
 *             memory    all meet | r: fold tile r of 0, 1, 2, put it to r, r + 1, r + 2 | all meet
 * ```
 */
export const direct: Algorithm = defineCollective({
  collective: 'allreduce',
  name: 'direct',
  title: 'direct (slots, or tiled)',
  source: 'Li, Hoefler, Hu, Snir 2014 (tiled reduce)',
  use: 'ranks that share memory',
  cost: '1 round and p m read, or 2 and m read and m written by each',
  needs: { sharedMemory: true },
  cut: tiledCut,
  wholeInSlots: true,
  scratch: (env) => (env.slots ? [] : tileBlocks(env)),
  rounds: (env) => (env.slots ? 1 : tileLength(env)),
  volume: (env) => (env.slots ? env.size : 2 * env.size * tileLength(env)),
  round(k, env, emit) {
    if (env.slots) foldSlots(env, emit)
    else foldTile(k, env, emit)
  },
})

function foldSlots({ size }: Environment, emit: Emit): void {
  const slots = { ranks: size, from: SLOT, index: 0, toIndex: 0 } as const
  emit.copy(IN, 0, SLOT, 0)
  emit.publish(0)
  if (size <= ALL_FOLD_RANKS_MAX) {
    leftFold(emit, { ...slots, to: OUT, stage: 0 })
  } else {
    emit.once(0, () => leftFold(emit, { ...slots, to: SHARED }))
    emit.copy(SHARED, 0, OUT, 0)
  }
}

/** Round k is block k of the tile. */
function foldTile(k: number, env: Environment, emit: Emit): void {
  const { size, rank } = env
  const block = tileBlocks(env)[k]
  if (k === 0) emit.meet(0)
  if (block !== undefined) {
    leftFold(emit, { ranks: size, from: IN, index: block, to: TMP, toIndex: k })
    for (let i = 0; i < size; i++) emit.put((rank + i) % size, TMP, k, OUT, block)
  }
  if (k === tileLength(env) - 1) emit.meet(1)
}
