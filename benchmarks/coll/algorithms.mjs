/**
 * What the library says about its collectives: which algorithms there are, and which one it picks.
 * The only file here that knows how the library says it.
 */
import { collectiveAlgorithms } from '@commworld/mpi'

/** @returns {readonly { name: string, title: string }[]} */
export function algorithmsOf(collective) {
  // Equal blocks or not, the algorithms are the same.
  const family = collective === 'reduceScatterBlock' ? 'reduceScatter' : collective
  return collectiveAlgorithms.filter((algorithm) => algorithm.collective === family)
}

/** The name of the algorithm that a call without one would run; undefined where it is not told. */
export function pickOf(_collective, _call) {
  return undefined
}
