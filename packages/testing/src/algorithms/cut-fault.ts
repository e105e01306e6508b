import type { Algorithm } from '@commworld/mpi/plan'
import type { CaseFault } from './run-case.js'

/** Block numbers are 32-bit integers. */
const BLOCKS_MAX = 2 ** 31 - 1

/** Elements up to which a vector may be long: beyond 2^31 and 2^32, up to whole numbers of doubles. */
function lengths(size: number): readonly number[] {
  const short = [0, 1, 2, 3, size - 1, size, size + 1, 1000, 2 ** 20 + 1]
  return [...short, 2 ** 31 - 1, 2 ** 31 + 1, 2 ** 32 + 1, 2 ** 50 + 1]
}

/** Whether a vector of some length is cut into a number of blocks that is none. */
export function cutFault(algorithm: Algorithm, size: number): CaseFault | undefined {
  if (algorithm.cut === undefined) return undefined
  for (const elements of lengths(size)) {
    for (const bytes of [elements, elements * 8]) {
      const text = wordsOn(algorithm, { size, bytes, elements })
      if (text !== undefined) return { kind: 'misbehaves', rank: undefined, text }
    }
  }
  return undefined
}

function wordsOn(
  algorithm: Algorithm,
  extents: { readonly size: number; readonly bytes: number; readonly elements: number },
): string | undefined {
  const { size, bytes, elements } = extents
  const call = `cut({ size: ${size}, bytes: ${bytes}, elements: ${elements} })`
  try {
    const blocks = algorithm.cut!(extents)
    if (Number.isInteger(blocks) && blocks >= 0 && blocks <= BLOCKS_MAX) return undefined
    const why = blocks > BLOCKS_MAX ? 'more than 32 bits count' : 'no number of blocks'
    return `${call} is ${blocks}: ${why}`
  } catch (error) {
    return `${call} throws ${String(error)}`
  }
}
