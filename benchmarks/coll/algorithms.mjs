/**
 * What the library says about its collectives: which algorithms there are, and which one it picks.
 * The only file here that knows how the library says it.
 */
import { collectiveAlgorithms, rulesInWords } from '@commworld/mpi/plan'

/** @returns {readonly { name: string, title: string, needs: { sharedMemory?: true } }[]} */
export function algorithmsOf(collective) {
  return collectiveAlgorithms.filter((algorithm) => algorithm.collective === familyOf(collective))
}

/**
 * The algorithm of a call that names none, of memory, where the operation commutes: the first line
 * of the library's table that fits.
 *
 * @param {string} collective
 * @param {{ ranks: number, bytes: number, sharedMemory: boolean }} call
 * @returns {string | undefined} its name
 */
export function pickOf(collective, call) {
  const algorithms = algorithmsOf(collective)
  const lines = rulesInWords(familyOf(collective)).filter(({ when }) => fits(when, call))
  const uses = lines.map(({ use }) => algorithms.find(({ name }) => name === use))
  return uses.find((algorithm) => canServe(algorithm, call))?.name
}

/** Equal blocks or not, the algorithms are the same. */
function familyOf(collective) {
  return collective === 'reduceScatterBlock' ? 'reduceScatter' : collective
}

const UNITS = { bytes: 1, KiB: 1024, MiB: 1024 ** 2 }

/** The conditions of the table, which is told in words. */
const CONDITIONS = [
  [/^otherwise$|^reductions that commute$/, () => true],
  [/^ranks that share memory$/, ({ sharedMemory }) => sharedMemory],
  [/^ranks that do not share memory$/, ({ sharedMemory }) => !sharedMemory],
  [/^fewer than (\d+) ranks$/, ({ ranks }, bound) => ranks < bound],
  [/^below (\d+) (bytes|KiB|MiB)$/, ({ bytes }, bound, unit) => bytes < bound * UNITS[unit]],
]

function fits(when, call) {
  return when.split(', ').every((words) => {
    for (const [pattern, holds] of CONDITIONS) {
      const match = pattern.exec(words)
      if (match) return holds(call, ...match.slice(1))
    }
    throw new Error(`the table has a condition that is not known here: ${words}`)
  })
}

function canServe({ needs }, { ranks, sharedMemory }) {
  if (needs.sharedMemory && !sharedMemory) return false
  if (needs.powerOfTwo && !Number.isInteger(Math.log2(ranks))) return false
  if (needs.evenSize && ranks % 2 !== 0) return false
  return ranks >= (needs.sizeMin ?? 1)
}
