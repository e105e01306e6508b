import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { direct as allgather } from '../../src/coll/allgather/direct.js'
import { direct as allreduce } from '../../src/coll/allreduce/direct.js'
import { direct as alltoall } from '../../src/coll/alltoall/direct.js'
import { direct as bcast } from '../../src/coll/bcast/direct.js'
import { checkAlgorithm } from '../../src/coll/check/check-algorithm.js'
import { Simulation } from '../../src/coll/check/simulation.js'
import { direct as exscan } from '../../src/coll/exscan/direct.js'
import { direct as gather } from '../../src/coll/gather/direct.js'
import { leftFold } from '../../src/coll/pattern/left-fold.js'
import { tiledCut, tileLength, tileOf } from '../../src/coll/pattern/tiles.js'
import {
  defineCollective,
  unmet,
  type Algorithm,
  type Emit,
} from '../../src/coll/plan/algorithm.js'
import { HIGHER, IN, OUT, SLOT, TMP } from '../../src/coll/plan/buffer.js'
import { collectives } from '../../src/coll/plan/collective.js'
import { direct as reduceScatter } from '../../src/coll/reduce-scatter/direct.js'
import { direct as reduce } from '../../src/coll/reduce/direct.js'
import { direct as scan } from '../../src/coll/scan/direct.js'
import { direct as scatter } from '../../src/coll/scatter/direct.js'

const tiled = [reduce, allreduce, scan, exscan]
const all = [bcast, gather, scatter, allgather, alltoall, ...tiled, reduceScatter]

describe.each(all)('direct $collective', (algorithm) => {
  test('is right at 1 to 17 ranks, from every root, with slots and without', () => {
    expect(checkAlgorithm(algorithm, { ranks: upTo(17).map((i) => i + 1) })).toBeUndefined()
  })

  test('is right at many ranks', () => {
    const roots = (size: number): number[] => [0, size - 2]
    expect(checkAlgorithm(algorithm, { ranks: [33, 64], roots })).toBeUndefined()
  })

  test('has no wait that could be left out', () => {
    for (const { size, rank, peer } of pairs([2, 3, 5, 9])) {
      for (const slots of [true, false]) {
        for (const stage of stagesAwaited(algorithm, size, rank, peer, slots)) {
          const mutant = without(algorithm, (name, by, [whom, at]) => {
            return name === 'awaitPublished' && by === rank && whom === peer && at === stage
          })
          const where = `${rank} of ${size} does not wait for ${peer} in stage ${stage}`
          expect(violationOf(mutant, size, slots), where).toBe('race')
        }
      }
    }
  })
})

test.each(tiled)(
  'direct $collective is right with tiles of many blocks, or uneven',
  (algorithm) => {
    const blocks = (size: number): number[] => [1, size - 1, size + 1, 5 * size + 2, 64 * size]
    expect(checkAlgorithm(algorithm, { ranks: [2, 3, 5, 8], blocks })).toBeUndefined()
  },
)

test.each(tiled)('direct $collective carries values, which are whole in slots', (algorithm) => {
  const call = { size: 3, commutative: false, values: true, sharedMemory: true } as const
  const blocks = { knownBlocks: false, equalBlocks: false } as const
  expect(unmet(algorithm, { ...call, ...blocks })).toBeUndefined()
  const { wholeInSlots: _, ...cutAlways } = algorithm
  expect(unmet(cutAlways, { ...call, ...blocks })).toContain('values are whole')
})

describe('checkAlgorithm', () => {
  test('reports a trailing meeting that is missing', () => {
    for (const algorithm of [allgather, alltoall, reduceScatter, ...tiled]) {
      const mutant = without(algorithm, (name, _, [stage]) => name === 'publish' && stage === 1)
      const hasty = without(
        mutant,
        (name, _, [, stage]) => name === 'awaitPublished' && stage === 1,
      )
      expect(checkAlgorithm(hasty)?.kind, algorithm.collective).toBe('race')
    }
  })

  test('reports that the room of all is read before it is written', () => {
    const mutant = without(allreduce, (name) => name === 'once')
    expect(checkAlgorithm(mutant)?.size).toBe(9)
  })

  test('reports a fold that destroys its own operand in place', () => {
    const greedy = defineCollective({
      ...allreduce,
      cut: ({ size }) => size,
      rounds: () => 1,
      round(_, { size, rank }, emit) {
        emit.meet(0)
        leftFold(emit, { ranks: size, from: IN, index: rank, to: OUT, toIndex: rank })
        for (let i = 1; i < size; i++) emit.put((rank + i) % size, OUT, rank, OUT, rank)
        emit.meet(1)
      },
    })
    expect(violationOf(greedy, 3, false, true)).toBe('wrong result')
  })

  test('reports an output that is the input which others still read', () => {
    const eager = defineCollective({
      ...allreduce,
      cut: () => 1,
      scratch: () => [0],
      volume: ({ size }) => size,
      round(_, { size }, emit) {
        emit.meet(0)
        leftFold(emit, { ranks: size, from: IN, index: 0, to: TMP, toIndex: 0 })
        emit.copy(TMP, 0, OUT, 0)
        emit.meet(1)
      },
    })
    const run = { size: 3, root: 0, blocks: 1, radix: 0, slots: false, runner: 0 }
    expect(new Simulation(eager, { ...run, inPlace: false }).run()).toBeUndefined()
    expect(new Simulation(eager, { ...run, inPlace: true }).run()?.kind).toBe('race')
  })

  test('reports what is out of reach', () => {
    const outside = (slots: boolean): string | undefined =>
      violationOf(
        defineCollective({
          ...alltoall,
          round(_, { size, rank }, emit) {
            emit.copy(IN, 0, SLOT, 0, size)
            emit.meet(0)
            for (let i = 0; i < size; i++) emit.get(i, slots ? IN : SLOT, rank, OUT, i)
            emit.meet(1)
          },
        }),
        3,
        slots,
      )
    expect(outside(true)).toBe('out of reach')
    expect(outside(false)).toBe('out of reach')
  })

  test('reports a block that is moved into a longer or shorter one', () => {
    const crossed = defineCollective({
      ...reduce,
      scratch: () => [0],
      round(_, { size, rank, root, blocks }, emit) {
        emit.meet(0)
        for (let block = 0; block < (rank === root ? blocks : 0); block++) {
          emit.get(0, IN, block, TMP, 0)
          for (let i = 1; i < size; i++) emit.getReduce(i, IN, block, TMP, 0, 1, HIGHER)
          emit.copy(TMP, 0, OUT, block)
        }
        emit.meet(1)
      },
    })
    expect(violationOf(crossed, 3, false)).toBe('lengths differ')
  })
})

describe('tiles', () => {
  const sizes = fc.integer({ min: 1, max: 300 })

  test('tileOf gives each block to one rank, in order', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 20_000 }), (size, blocks) => {
        let next = 0
        for (let rank = 0; rank < size; rank++) {
          const { first, count } = tileOf(rank, size, blocks)
          expect(first).toBe(next)
          expect(count).toBeLessThanOrEqual(Math.ceil(blocks / size))
          next = first + count
        }
        expect(next).toBe(blocks)
      }),
    )
  })

  test('tiledCut is a multiple of the ranks, one a rank for short vectors and bounded for long ones', () => {
    const elements = fc.maxSafeNat()
    fc.assert(
      fc.property(sizes, elements, fc.integer({ min: 0, max: 64 }), (size, count, bytesEach) => {
        const blocks = tiledCut({ size, bytes: count * bytesEach, elements: count })
        expect(blocks % size).toBe(0)
        expect(blocks / size).toBeGreaterThanOrEqual(1)
        expect(blocks / size).toBeLessThanOrEqual(64)
      }),
    )
    expect(tiledCut({ size: 4, bytes: 0, elements: 0 })).toBe(4)
    expect(tiledCut({ size: 4, bytes: 64 * 1024, elements: 8192 })).toBe(4)
    expect(tiledCut({ size: 4, bytes: 64 * 1024 + 8, elements: 8193 })).toBe(8)
    expect(tiledCut({ size: 4, bytes: 2 ** 30, elements: 3 })).toBe(4)
  })

  test('tileLength is that of the longest', () => {
    const env = { rank: 0, root: 0, radix: 0, slots: false }
    expect(tileLength({ ...env, size: 3, blocks: 6 })).toBe(2)
    expect(tileLength({ ...env, size: 3, blocks: 7 })).toBe(3)
  })
})

type Dropped = (name: keyof Emit, rank: number, numbers: readonly number[]) => boolean

/** The algorithm without some of its operations; a meeting is its parts. */
function without(algorithm: Algorithm, dropped: Dropped): Algorithm {
  return {
    ...algorithm,
    round(k, env, emit) {
      const { size, rank } = env
      const sieve = new Proxy(emit, {
        get(target, name: keyof Emit) {
          return (...given: never[]): void => {
            if (name === 'meet') {
              sieve.publish(given[0]!)
              for (let i = 1; i < size; i++) sieve.awaitPublished((rank + i) % size, given[0]!)
            } else if (!dropped(name, rank, given)) {
              ;(target[name] as (...args: never[]) => void).apply(target, given)
            }
          }
        },
      })
      algorithm.round(k, env, sieve)
    },
  }
}

function stagesAwaited(
  algorithm: Algorithm,
  size: number,
  rank: number,
  peer: number,
  slots: boolean,
): Set<number> {
  const stages = new Set<number>()
  const watched = without(algorithm, (name, by, [whom, stage]) => {
    if (name === 'awaitPublished' && by === rank && whom === peer) stages.add(stage!)
    return false
  })
  violationOf(watched, size, slots)
  return stages
}

function violationOf(
  algorithm: Algorithm,
  size: number,
  slots: boolean,
  inPlace = false,
): string | undefined {
  const { input, output } = collectives[algorithm.collective]
  const vector = input === 'vector' || output === 'vector'
  const cut = algorithm.cut?.({ size, bytes: 8 * size, elements: size }) ?? 1
  const blocks = !vector ? size : slots ? 1 : cut
  const run = { size, root: size >> 1, blocks, radix: 0, slots, inPlace, runner: 0 }
  return new Simulation(algorithm, run).run()?.kind
}

function pairs(sizes: readonly number[]): { size: number; rank: number; peer: number }[] {
  return sizes.flatMap((size) => upTo(size).flatMap((rank) => others(size, rank)))
}

function others(size: number, rank: number): { size: number; rank: number; peer: number }[] {
  return upTo(size).flatMap((peer) => (peer === rank ? [] : [{ size, rank, peer }]))
}

function upTo(end: number): number[] {
  return Array.from({ length: end }, (_, i) => i)
}
