import type { Case } from '@commworld/mpi/inspect'
import type { Algorithm, Emit } from '@commworld/mpi/plan'
import type { CaseFault } from './run-case.js'

/** Up to here every rank is asked twice; a fault of this kind needs few. */
const RANKS_MAX = 64

/**
 * Whether a round says something else when it is asked again: in another order of ranks and rounds, so
 * that what is kept in variables shows.
 */
export function fickleness(algorithm: Algorithm, run: Case): CaseFault | undefined {
  if (run.inPlace || run.size > RANKS_MAX) return undefined
  const first = Array.from({ length: run.size }, (_, rank) => said(algorithm, run, rank, false))
  for (let rank = run.size - 1; rank >= 0; rank--) {
    const again = said(algorithm, run, rank, true).reverse()
    const round = again.findIndex((words, k) => words !== first[rank]![k])
    if (round < 0) continue
    const text = `round ${round} of rank ${rank} is [${first[rank]![round]}] when it is asked first, and [${again[round]}] when it is asked again`
    return { kind: 'not a function', rank, text }
  }
  return undefined
}

/** What each round emits, in words. */
function said(algorithm: Algorithm, run: Case, rank: number, backwards: boolean): string[] {
  const env = { ...run, rank }
  const rounds = algorithm.rounds(env)
  return Array.from({ length: rounds }, (_, index) => {
    const words: string[] = []
    const round = backwards ? rounds - 1 - index : index
    algorithm.round(round, env, listener(words))
    return words.join(', ')
  })
}

function listener(words: string[]): Emit {
  const get = (_: object, name: string): unknown => {
    if (name === 'once') {
      return (stage: number, operations: () => void) => {
        words.push(`once(${stage})`)
        operations()
      }
    }
    return (...numbers: number[]) => words.push(`${name}(${numbers.join(', ')})`)
  }
  return new Proxy({}, { get }) as Emit
}
