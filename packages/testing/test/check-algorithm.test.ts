import {
  collectiveAlgorithms,
  defineCollective,
  IN,
  LOWER,
  OUT,
  type Algorithm,
} from '@commworld/mpi/plan'
import { assertAlgorithm, AlgorithmFaultError, checkAlgorithm } from '@commworld/testing'
import { describe, expect, test } from 'vitest'
import { mutant, mutations } from './mutants.js'

const card = { title: 'ring', source: 'this test', use: 'never', cost: '-' }

function ring(foldFrom = 0, ordered = false) {
  return defineCollective({
    ...card,
    collective: 'allreduce',
    name: 'my-ring',
    needs: ordered ? {} : { commutative: true },
    cut: ({ size }) => size,
    rounds: ({ size }) => Math.max(1, 2 * (size - 1)),
    volume: ({ size }) => 2 * (size - 1),
    round(k, { size, rank }, emit) {
      if (k === 0) emit.copy(IN, 0, OUT, 0, size)
      if (size === 1) return
      const given = (rank + 2 * size - k) % size
      const taken = (rank + 2 * size - 1 - k) % size
      const left = (rank + size - 1) % size
      if (k >= foldFrom && k < size - 1) emit.receiveReduce(left, OUT, taken, 1, LOWER)
      else emit.receive(left, OUT, taken)
      emit.send((rank + 1) % size, OUT, given)
    },
  })
}

describe('checkAlgorithm', () => {
  test('is silent about every algorithm of the library', () => {
    for (const algorithm of collectiveAlgorithms) {
      expect(checkAlgorithm(algorithm, { ranks: 6 })?.text).toBe(undefined)
    }
  })

  test('names the contribution that is missing, where and in which round', () => {
    const fault = checkAlgorithm(ring(1))!
    expect(fault).toMatchObject({ kind: 'wrong result', run: { size: 2 }, rank: 0 })
    expect(fault.text).toContain('rank 0, block 0: missing: the contribution of rank 1')
    expect(fault.text).toMatch(/o---->\| {5}round 0: out 0 -> out 0: rank 0's block 0/)
    expect(fault.text).toContain('checkAlgorithm(myRing, { ranks: [2]')
    expect(() => assertAlgorithm(ring(1))).toThrow(AlgorithmFaultError)
    expect(checkAlgorithm(ring(0))).toBe(undefined)
  })

  test('says whose contribution is out of order', () => {
    const { kind, text, run } = checkAlgorithm(ring(0, true))!
    expect([kind, run.size]).toEqual(['wrong result', 2])
    expect(text).toMatch(/out of order: the contribution of rank \d stands where rank \d's belongs/)
  })

  test('draws the circle of a deadlock', () => {
    const shift = defineCollective({
      ...card,
      collective: 'allgather',
      name: 'all-send-first',
      rounds: ({ size }) => Math.max(1, size - 1),
      volume: ({ size }) => size - 1,
      round(k, { size, rank }, emit) {
        if (k === 0) emit.copy(IN, 0, OUT, rank)
        if (size === 1) return
        emit.send((rank + 1) % size, OUT, (rank + size - k) % size)
        emit.fence()
        emit.receive((rank + size - 1) % size, OUT, (rank + 2 * size - k - 1) % size)
      },
    })
    const fault = checkAlgorithm(shift)!
    expect(fault).toMatchObject({ kind: 'deadlock', run: { size: 2 } })
    expect(fault.text).toContain('the circle: 0 -> 1 -> 0')
  })

  test('tells apart functions that fail by themselves', () => {
    const withRound = (round: Parameters<typeof defineCollective>[0]['round']) =>
      defineCollective({
        ...card,
        collective: 'bcast',
        name: 'mine',
        rounds: () => 1,
        volume: () => 0,
        round,
      })
    const kindOf = (round: Parameters<typeof withRound>[0]) => {
      const fault = checkAlgorithm(withRound(round), { ranks: [2], timeoutMs: 200 })
      return [fault?.kind, fault?.summary]
    }
    expect(
      kindOf(() => {
        throw new Error('oh')
      }),
    ).toEqual(['misbehaves', 'rank 0 in round 0 throws Error: oh'])
    expect(kindOf((_, __, emit) => emit.send(0.5, OUT, 0))).toEqual([
      'misbehaves',
      'rank 0 in round 0 emits send(0.5, 1, 0), where 0.5 is no whole number',
    ])
    expect(
      kindOf(() => {
        for (;;);
      }),
    ).toEqual(['endless', 'rank 0 in round 0 does not return within 200 ms: an endless loop?'])
    expect(
      kindOf((_, __, emit) => {
        for (;;) emit.fence()
      })[1],
    ).toMatch(/emits more than \d+ operations|does not return/)
    expect(kindOf((_, { rank }, emit) => emit.send(rank + 1, OUT, 0))[0]).toBe('out of range')
    expect(kindOf((_, __, emit) => emit.copy(IN, 0, OUT, 0))[0]).toBe('out of range')
  })

  test('looks beyond a wrong cost for a wrong result', () => {
    const cheap = { ...ring(1), volume: () => 1000 }
    expect(checkAlgorithm(cheap)).toMatchObject({ kind: 'wrong result' })
    expect(checkAlgorithm({ ...ring(), volume: () => 1000 })).toMatchObject({
      kind: 'volume',
      run: { size: 1 },
    })
  })

  test('refuses numbers of ranks that are none', () => {
    expect(() => checkAlgorithm(ring(), { ranks: [0] })).toThrow('from 1, not 0')
  })
})

/** Blocks are counted modulo their number: where a buffer has one, the next one is the same. */
const ONE_BLOCK: Readonly<Record<string, string>> = {
  'bcast binomial-tree': 'sends receives',
  'bcast linear': 'sends receives',
  'gather linear': 'sends',
  'scatter linear': 'receives',
  'allgather linear': 'sends',
  'reduce binomial-tree': 'sends folds',
  'reduce linear': 'sends receives folds',
  'allreduce recursive-doubling': 'sends receives folds',
  'allreduce reduce-bcast': 'sends receives folds',
  'reduceScatter butterfly': 'receives',
  'reduceScatter pairwise': 'receives folds',
  'scan linear': 'sends folds',
  'scan recursive-doubling': 'sends receives',
  'exscan linear': 'sends receives',
}

/** Whether a mutant is right: what it changes does not matter. */
function isEquivalent(algorithm: Algorithm, name: string): boolean {
  // Operands may change places, as long as they do so on all ranks alike.
  if (name === 'the operand on the other side') return algorithm.needs.commutative === true
  const verbs = ONE_BLOCK[`${algorithm.collective} ${algorithm.name}`] ?? ''
  return name.endsWith('next block') && verbs.includes(name.split(' ')[0]!)
}

describe('the mutants', () => {
  test('are found, each of them', () => {
    const survivors: string[] = []
    let found = 0
    for (const algorithm of collectiveAlgorithms) {
      for (const mutation of mutations) {
        const { algorithm: wrong, touched } = mutant(algorithm, mutation)
        const fault = checkAlgorithm(wrong, { ranks: [2, 3, 4, 5], roots: [0, 1], radices: [3] })
        if (fault !== undefined) found++
        else if (touched() && !isEquivalent(algorithm, mutation.name))
          survivors.push(`${algorithm.collective} ${algorithm.name}: ${mutation.name}`)
      }
    }
    expect(survivors).toEqual([])
    expect(found).toBeGreaterThan(400)
  }, 90_000)
})
