import { HIGHER, IN, LOWER, OUT, TMP, type Algorithm } from '@commworld/mpi/plan'
import { allgatherFold } from './allgather-fold.js'

/** MISTAKE: folds what comes at once, into the very memory that is still being sent. */
export const foldAtOnce: Algorithm = {
  ...allgatherFold,
  name: 'fold-at-once',
  scratch: () => [],
  round(_, { size, rank }, emit) {
    emit.copy(IN, 0, OUT, 0)
    for (let peer = 0; peer < size; peer++) {
      if (peer === rank) continue
      emit.send(peer, IN, 0)
      emit.receiveReduce(peer, OUT, 0, 1, peer < rank ? LOWER : HIGHER)
    }
  },
}

/** MISTAKE: each rank begins with its own operand and then takes the others from 0 up. */
export const foldOwnFirst: Algorithm = {
  ...allgatherFold,
  name: 'fold-own-first',
  round(_, { size, rank }, emit) {
    exchange(emit, size, rank)
    emit.copy(IN, 0, OUT, 0)
    for (let peer = 0; peer < rank; peer++) emit.reduce(TMP, peer, OUT, 0, 1, LOWER)
    for (let peer = rank + 1; peer < size; peer++) emit.reduce(TMP, peer, OUT, 0, 1, HIGHER)
  },
}

/** MISTAKE: in the order of ranks now, but from each rank outwards: everybody brackets differently. */
export const foldOutwards: Algorithm = {
  ...allgatherFold,
  name: 'fold-outwards',
  round(_, { size, rank }, emit) {
    exchange(emit, size, rank)
    emit.copy(IN, 0, OUT, 0)
    for (let peer = rank - 1; peer >= 0; peer--) emit.reduce(TMP, peer, OUT, 0, 1, LOWER)
    for (let peer = rank + 1; peer < size; peer++) emit.reduce(TMP, peer, OUT, 0, 1, HIGHER)
  },
}

function exchange(emit: Parameters<Algorithm['round']>[2], size: number, rank: number): void {
  for (let peer = 0; peer < size; peer++) {
    if (peer === rank) continue
    emit.receive(peer, TMP, peer)
    emit.send(peer, IN, 0)
  }
}
