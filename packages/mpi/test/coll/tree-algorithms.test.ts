import { describe, expect, test } from 'vitest'
import { dissemination } from '../../src/coll/barrier/dissemination.js'
import { tree } from '../../src/coll/barrier/tree.js'
import { binomialTree as bcastBinomialTree } from '../../src/coll/bcast/binomial-tree.js'
import { circulant as bcastCirculant } from '../../src/coll/bcast/circulant.js'
import { linear as bcastLinear } from '../../src/coll/bcast/linear.js'
import { pipelinedChain as bcastPipelinedChain } from '../../src/coll/bcast/pipelined-chain.js'
import { scatterAllgather } from '../../src/coll/bcast/scatter-allgather.js'
import { checkAlgorithm } from '../../src/coll/check/check-algorithm.js'
import { linear as exscanLinear } from '../../src/coll/exscan/linear.js'
import { oneTwoThreeDoubling } from '../../src/coll/exscan/one-two-three-doubling.js'
import { recursiveDoubling as exscanRecursiveDoubling } from '../../src/coll/exscan/recursive-doubling.js'
import { binomialTree as gatherBinomialTree } from '../../src/coll/gather/binomial-tree.js'
import { linear as gatherLinear } from '../../src/coll/gather/linear.js'
import type { Algorithm } from '../../src/coll/plan/algorithm.js'
import { binomialTree as reduceBinomialTree } from '../../src/coll/reduce/binomial-tree.js'
import { linear as reduceLinear } from '../../src/coll/reduce/linear.js'
import { pipelinedChain as reducePipelinedChain } from '../../src/coll/reduce/pipelined-chain.js'
import { rabenseifner } from '../../src/coll/reduce/rabenseifner.js'
import { linear as scanLinear } from '../../src/coll/scan/linear.js'
import { recursiveDoubling as scanRecursiveDoubling } from '../../src/coll/scan/recursive-doubling.js'
import { binomialTree as scatterBinomialTree } from '../../src/coll/scatter/binomial-tree.js'
import { linear as scatterLinear } from '../../src/coll/scatter/linear.js'

interface Subject {
  readonly algorithm: Algorithm
  /** Blocks to cut a vector into, where that is not a matter of the number of ranks. */
  readonly blocks?: readonly number[]
  /** Large numbers of ranks, not so large where the blocks grow with them. */
  readonly many?: readonly number[]
}

const segments = [1, 2, 3, 7, 16]

const subjects: readonly Subject[] = [
  { algorithm: dissemination },
  { algorithm: tree },
  { algorithm: bcastLinear },
  { algorithm: bcastBinomialTree },
  { algorithm: bcastPipelinedChain, blocks: segments },
  { algorithm: scatterAllgather, many: [243, 257] },
  { algorithm: bcastCirculant, blocks: segments },
  { algorithm: gatherLinear },
  { algorithm: gatherBinomialTree },
  { algorithm: scatterLinear },
  { algorithm: scatterBinomialTree },
  { algorithm: reduceLinear },
  { algorithm: reduceBinomialTree },
  { algorithm: reducePipelinedChain, blocks: segments },
  { algorithm: rabenseifner, many: [243, 257] },
  { algorithm: scanLinear },
  { algorithm: scanRecursiveDoubling },
  { algorithm: exscanLinear },
  { algorithm: exscanRecursiveDoubling },
  { algorithm: oneTwoThreeDoubling },
]

/** All numbers of ranks to 17, at all roots. */
const few = Array.from({ length: 17 }, (_, i) => i + 1)

/** Primes, powers of 2, 3 and 5 and what is one off: where trees and folds are ragged. */
const some = [23, 25, 31, 33, 64, 65, 80, 82, 97, 124, 127, 130]

const many = [1021, 1024]

describe.each(subjects)('$algorithm.collective $algorithm.name', (subject) => {
  const { algorithm } = subject
  const blocks = subject.blocks === undefined ? {} : { blocks: () => subject.blocks! }

  test('keeps all rules at 1 to 17 ranks and all roots', () => {
    expect(checkAlgorithm(algorithm, { ranks: few, radices: [2, 3, 4, 5], ...blocks })).toBe(
      undefined,
    )
  })

  test('keeps all rules at ragged numbers of ranks', () => {
    const roots = (size: number): number[] => [0, size - 2]
    const cut = subject.blocks === undefined ? {} : { blocks: () => [1, 7] }
    expect(checkAlgorithm(algorithm, { ranks: some, roots, radices: [2, 4], ...cut })).toBe(
      undefined,
    )
  })

  test('keeps all rules at many ranks', () => {
    const options = { ranks: subject.many ?? many, roots: () => [5], radices: [3] }
    const cut = subject.blocks === undefined ? {} : { blocks: () => [2] }
    expect(checkAlgorithm(algorithm, { ...options, ...cut })).toBe(undefined)
  })
})

test('algorithms in segments cut into one to 256 of them, and more the longer a vector is', () => {
  for (const { cut } of [bcastPipelinedChain, bcastCirculant, reducePipelinedChain]) {
    for (const size of [1, 2, 3, 1000]) {
      const cuts = [0, 1, 8192, 8193, 2 ** 20, 2 ** 40].map((bytes) =>
        cut!({ size, bytes, elements: bytes }),
      )
      expect(cuts).toEqual(cuts.toSorted((a, b) => a - b))
      expect(cuts[0]).toBe(1)
      expect(cuts.at(-1)).toBeLessThanOrEqual(256)
    }
  }
})
