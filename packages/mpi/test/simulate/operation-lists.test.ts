import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { type Algorithm, unmet } from '../../src/coll/plan/algorithm.js'
import { collectives } from '../../src/coll/plan/collective.js'
import { OP_WORDS, Recorder } from '../../src/coll/plan/schedule.js'
import { collectiveAlgorithms } from '../../src/coll/select/registry.js'
import { DataShape } from '../../src/simulate/data-shape.js'
import { OperationLists } from '../../src/simulate/operation-lists.js'

const call = {
  commutative: true,
  values: false,
  sharedMemory: true,
  knownBlocks: true,
  equalBlocks: true,
}

const cases = fc
  .record({
    algorithm: fc.constantFrom(...collectiveAlgorithms),
    size: fc.integer({ min: 1, max: 17 }),
    root: fc.nat(16),
    blocks: fc.integer({ min: 1, max: 9 }),
    radix: fc.integer({ min: 2, max: 4 }),
    slots: fc.boolean(),
  })
  .filter(({ algorithm, size }) => unmet(algorithm, { ...call, size }) === undefined)
  .map(({ algorithm, root, blocks, radix, slots, size }) => {
    const { input, output, rooted } = collectives[algorithm.collective]
    const vector = input === 'vector' || output === 'vector'
    const cut = algorithm.cut?.({ size, bytes: 800 * blocks, elements: 100 * blocks }) ?? 1
    const inSlots = slots && algorithm.needs.sharedMemory === true
    return {
      algorithm,
      env: {
        size,
        root: rooted ? root % size : 0,
        blocks: vector ? (inSlots ? 1 : cut) : size,
        radix: algorithm.radix === undefined ? 0 : radix,
        slots: inSlots,
      },
    }
  })

/** The operations of a rank in the words of coll/plan/schedule.ts. */
function take(lists: OperationLists, rank: number): number[] {
  const words: number[] = []
  for (let at = lists.first(rank); at >= 0; at = lists.first(rank)) {
    words.push(...lists.words.subarray(at, at + OP_WORDS))
    lists.drop(rank)
  }
  return words
}

function record(algorithm: Algorithm, env: ConstructorParameters<typeof Recorder>[1], k: number) {
  const recorder = new Recorder(algorithm, env, false)
  algorithm.round(k, env, recorder)
  return [...recorder.words.subarray(0, recorder.length * OP_WORDS)]
}

describe('OperationLists', () => {
  test('hold what a schedule records, round by round, for every algorithm', () => {
    const property = fc.property(cases, ({ algorithm, env }) => {
      const shape = new DataShape(algorithm, { ...env, rank: 0 }, { bytes: 64, itemBytes: 8 })
      const lists = new OperationLists(shape, env.size)
      for (let rank = 0; rank < env.size; rank++) shape.addRank({ ...env, rank })
      for (let rank = 0; rank < env.size; rank++) {
        const own = { ...env, rank }
        for (let k = 0; k < algorithm.rounds(own); k++) {
          lists.write(rank)
          algorithm.round(k, own, lists)
          expect(take(lists, rank)).toEqual(record(algorithm, own, k))
        }
      }
    })
    fc.assert(property, { numRuns: 400 })
  })
})
