/**
 * What the library says about its collectives: which algorithms there are, and which one it picks.
 * The only file here that knows how the library says it.
 */
import { collectiveAlgorithms, selectAlgorithm } from '@commworld/mpi/plan'

/** @returns {readonly { name: string, title: string, needs: { sharedMemory?: true } }[]} */
export function algorithmsOf(collective) {
  return collectiveAlgorithms.filter((algorithm) => algorithm.collective === familyOf(collective))
}

/**
 * The algorithm of a call that names none, of memory, where the operation commutes.
 *
 * @param {string} collective
 * @param {{ ranks: number, bytes: number, sharedMemory: boolean }} call
 * @returns {string} its name
 */
export function pickOf(collective, call) {
  return selectAlgorithm(familyOf(collective), call)
}

/** Equal blocks or not, the algorithms are the same. */
function familyOf(collective) {
  return collective === 'reduceScatterBlock' ? 'reduceScatter' : collective
}
