import { expect, test } from 'vitest'
import { bruck as allgatherBruck } from '../../src/coll/allgather/bruck.js'
import { circulant as allgatherCirculant } from '../../src/coll/allgather/circulant.js'
import { linear as allgatherLinear } from '../../src/coll/allgather/linear.js'
import { neighborExchange } from '../../src/coll/allgather/neighbor-exchange.js'
import { recursiveDoubling as allgatherDoubling } from '../../src/coll/allgather/recursive-doubling.js'
import { ring as allgatherRing } from '../../src/coll/allgather/ring.js'
import { circulant as allreduceCirculant } from '../../src/coll/allreduce/circulant.js'
import { rabenseifner } from '../../src/coll/allreduce/rabenseifner.js'
import { recursiveDoubling as allreduceDoubling } from '../../src/coll/allreduce/recursive-doubling.js'
import { reduceBcast } from '../../src/coll/allreduce/reduce-bcast.js'
import { ring as allreduceRing } from '../../src/coll/allreduce/ring.js'
import { bruck as alltoallBruck } from '../../src/coll/alltoall/bruck.js'
import { linear as alltoallLinear } from '../../src/coll/alltoall/linear.js'
import { pairwise as alltoallPairwise } from '../../src/coll/alltoall/pairwise.js'
import { checkAlgorithm } from '../../src/coll/check/check-algorithm.js'
import { butterfly } from '../../src/coll/reduce-scatter/butterfly.js'
import { circulant as scatterCirculant } from '../../src/coll/reduce-scatter/circulant.js'
import { linear as scatterLinear } from '../../src/coll/reduce-scatter/linear.js'
import { pairwise as scatterPairwise } from '../../src/coll/reduce-scatter/pairwise.js'
import { recursiveHalving } from '../../src/coll/reduce-scatter/recursive-halving.js'
import { ring as scatterRing } from '../../src/coll/reduce-scatter/ring.js'

const few = Array.from({ length: 17 }, (_, i) => i + 1)
/** Primes, powers of 2 to 5, and their neighbours. */
const some = [24, 25, 26, 27, 28, 31, 32, 33, 37, 63, 64, 65, 80, 81, 82]
const more = [97, 124, 125, 126, 127, 128, 129, 130]
const many = [255, 256, 257, 1023, 1024, 1025, 1030]
const radices = [2, 3, 4, 5]

const ofWholeVectors = [allreduceDoubling, reduceBcast]
const logarithmic = [
  allreduceCirculant,
  rabenseifner,
  allgatherBruck,
  allgatherCirculant,
  allgatherDoubling,
  butterfly,
  scatterCirculant,
  recursiveHalving,
]
const others = [
  allreduceRing,
  allgatherLinear,
  allgatherRing,
  neighborExchange,
  scatterLinear,
  scatterPairwise,
  scatterRing,
  alltoallBruck,
  alltoallLinear,
  alltoallPairwise,
]
const all = [...ofWholeVectors, ...logarithmic, ...others]

for (const algorithm of all) {
  test(`${algorithm.collective} ${algorithm.name} breaks no rule`, () => {
    const ranks = [...few, ...some]
    if (!others.includes(algorithm)) ranks.push(...more)
    if (ofWholeVectors.includes(algorithm)) ranks.push(...many)
    expect(checkAlgorithm(algorithm, { ranks, radices })?.text).toBeUndefined()
  })
}

test('algorithms that need a commutative reduction lose the order of ranks', () => {
  const losing = all.filter(({ needs }) => needs.commutative)
  expect(losing).toHaveLength(5)
  for (const algorithm of losing) {
    expect(checkAlgorithm({ ...algorithm, needs: {} })?.kind).toBe('wrong result')
  }
})

test('Bruck takes radices about and above the number of ranks', () => {
  for (const algorithm of [allgatherBruck, alltoallBruck]) {
    const violation = checkAlgorithm(algorithm, {
      ranks: [1, 2, 7, 8, 9],
      radices: [6, 7, 8, 9, 16],
    })
    expect(violation?.text).toBeUndefined()
  }
})
