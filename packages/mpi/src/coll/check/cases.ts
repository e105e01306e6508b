import { unmet, type Algorithm } from '../plan/algorithm.js'
import { collectives } from '../plan/collective.js'
import type { Case } from './simulation.js'

/** What to check an algorithm for; everything in sensible amounts when left out. */
export interface CheckOptions {
  /** Numbers of ranks; 1 to 17 when left out. */
  readonly ranks?: readonly number[]
  /** Roots of each number of ranks; all when left out. */
  readonly roots?: (size: number) => readonly number[]
  /** Into how many blocks a vector is cut, when the algorithm leaves that open. */
  readonly blocks?: (size: number) => readonly number[]
  readonly radices?: readonly number[]
}

/** All cases that an algorithm is to be checked for, fewest ranks first. */
export function* casesOf(algorithm: Algorithm, options: CheckOptions): Iterable<Case> {
  const { rooted, input, output } = collectives[algorithm.collective]
  const vector = input === 'vector' || output === 'vector'
  const { ranks = Array.from({ length: 17 }, (_, i) => i + 1) } = options
  for (const size of ranks) {
    if (!applies(algorithm, size)) continue
    const roots = rooted ? (options.roots?.(size) ?? upTo(size)) : [0]
    const cuts = vector ? (options.blocks?.(size) ?? usualCuts(algorithm, size)) : [size]
    const radices =
      algorithm.radix === undefined ? [0] : (options.radices ?? [algorithm.radix, 2, 3, 5])
    const runners = algorithm.needs.sharedMemory ? [...new Set([0, size >> 1, size - 1])] : [0]
    for (const root of roots) {
      for (const radix of radices) {
        for (const slots of algorithm.needs.sharedMemory ? [true, false] : [false]) {
          // What fits in a slot is not cut.
          for (const blocks of slots && vector ? [1] : cuts) {
            for (const runner of runners) {
              for (const inPlace of [false, true]) {
                yield { size, root, blocks, radix, slots, inPlace, runner }
              }
            }
          }
        }
      }
    }
  }
}

function applies(algorithm: Algorithm, size: number): boolean {
  const call = { commutative: true, values: false, sharedMemory: true } as const
  return unmet(algorithm, { size, ...call, knownBlocks: true, equalBlocks: true }) === undefined
}

/** Elements of vectors: none, fewer than ranks, not a multiple of them, and more. */
function usualLengths(size: number): readonly number[] {
  return [0, 1, 2, 3, size - 1, size, size + 1, 512, 37_500, 2 ** 17]
}

/** What the algorithm cuts a vector into at some lengths, none of them special. */
function usualCuts(algorithm: Algorithm, size: number): readonly number[] {
  if (algorithm.cut === undefined) return [1]
  const cuts = usualLengths(size).map((elements) =>
    algorithm.cut!({ size, bytes: elements * 8, elements }),
  )
  return [...new Set(cuts)]
}

function upTo(size: number): readonly number[] {
  return Array.from({ length: size }, (_, rank) => rank)
}
