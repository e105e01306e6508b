import { expect, test } from 'vitest'
import { recursiveDoubling } from '../../src/coll/allreduce/recursive-doubling.js'
import { tree } from '../../src/coll/barrier/tree.js'
import { binomialTree } from '../../src/coll/bcast/binomial-tree.js'
import { circulant } from '../../src/coll/bcast/circulant.js'
import { linear as linearBcast } from '../../src/coll/bcast/linear.js'
import { pipelinedChain } from '../../src/coll/bcast/pipelined-chain.js'
import { checkAlgorithm } from '../../src/coll/check/check-algorithm.js'
import { linear as linearExscan } from '../../src/coll/exscan/linear.js'
import { oneTwoThreeDoubling } from '../../src/coll/exscan/one-two-three-doubling.js'
import { binomialTree as gatherTree } from '../../src/coll/gather/binomial-tree.js'
import { defineCollective, type Algorithm, type Emit } from '../../src/coll/plan/algorithm.js'
import { HIGHER, IN, LOWER, OUT, SLOT, TMP } from '../../src/coll/plan/buffer.js'
import { binomialTree as reduceTree } from '../../src/coll/reduce/binomial-tree.js'
import { rabenseifner } from '../../src/coll/reduce/rabenseifner.js'
import { linear as linearScan } from '../../src/coll/scan/linear.js'

/** The algorithm with some operations changed on their way to the schedule. */
function mutant(algorithm: Algorithm, change: (emit: Emit, k: number) => Partial<Emit>): Algorithm {
  return {
    ...algorithm,
    round(k, env, emit) {
      const changed = change(emit, k)
      const rest = (name: keyof Emit) => (emit[name] as (...words: unknown[]) => void).bind(emit)
      const get = (_: Emit, name: string) => changed[name as keyof Emit] ?? rest(name as keyof Emit)
      algorithm.round(k, env, new Proxy(emit, { get }))
    },
  }
}

function kindOf(algorithm: Algorithm): string | undefined {
  return checkAlgorithm(algorithm)?.kind
}

const nothing = (): void => {}

test('checkAlgorithm sees an operand on the wrong side', () => {
  const wrongSide = (emit: Emit): Partial<Emit> => ({
    receiveReduce: (peer, buffer, index, count, side) =>
      emit.receiveReduce(peer, buffer, index, count, side === HIGHER ? LOWER : HIGHER),
  })
  expect(kindOf(mutant(reduceTree, wrongSide))).toBe('wrong result')
  expect(kindOf(mutant(rabenseifner, wrongSide))).toBe('wrong result')
  const commutative = { ...mutant(reduceTree, wrongSide), needs: { commutative: true } } as const
  expect(kindOf(commutative)).toBe(undefined)
})

test('checkAlgorithm sees that an operation is missing', () => {
  expect(kindOf(mutant(oneTwoThreeDoubling, () => ({ reduce: nothing })))).toBe('wrong result')
  expect(kindOf(mutant(gatherTree, () => ({ copy: nothing })))).toBe('wrong result')
  expect(kindOf(mutant(binomialTree, () => ({ receive: nothing })))).toBe('deadlock')
  expect(kindOf(mutant(binomialTree, () => ({ send: nothing })))).toBe('deadlock')
})

test('checkAlgorithm sees a peer that is one off', () => {
  const oneOff = (emit: Emit): Partial<Emit> => ({
    send: (peer, buffer, index, count) => emit.send(peer + 1, buffer, index, count),
  })
  expect(kindOf(mutant(linearScan, oneOff))).toBe('out of range')
  const atRankZero = checkAlgorithm(mutant(pipelinedChain, oneOff), {
    ranks: [4],
    roots: () => [1],
  })
  expect(atRankZero?.kind).toBe('deadlock')
})

test('checkAlgorithm sees a block that is one off', () => {
  const oneOff = (emit: Emit): Partial<Emit> => ({
    receive: (peer, buffer, index, count) => emit.receive(peer, buffer, index + 1, count),
  })
  const options = { ranks: [5], blocks: () => [4] }
  expect(checkAlgorithm(mutant(circulant, oneOff), options)?.kind).toBe('lengths differ')
  const scratch = () => [0, 1, 2, 3, 4, 5, 6, 7, 8]
  expect(checkAlgorithm({ ...gatherTree, scratch })?.kind).toBe('lengths differ')
})

test('checkAlgorithm sees a rank that does not wait in a barrier', () => {
  const upOnly = { ...tree, rounds: (env) => tree.rounds(env) / 2 } as Algorithm
  expect(checkAlgorithm(upOnly)).toMatchObject({
    kind: 'too early',
    text: 'rank 1 may leave the barrier before rank 0 has come',
  })
  const downOnly = mutant(tree, (_, k) => (k === 0 ? { signal: nothing, await: nothing } : {}))
  expect(checkAlgorithm(downOnly, { ranks: [4] })?.kind).toBe('too early')
  expect(kindOf(mutant(tree, () => ({ await: nothing })))).toBe('deadlock')
})

test('checkAlgorithm sees a rank that does not wait for its peer in shared memory', () => {
  const direct = defineCollective({
    collective: 'allgather',
    name: 'direct',
    title: 'direct',
    source: 'this test',
    use: 'never',
    cost: 'p b',
    needs: { sharedMemory: true },
    rounds: () => 1,
    volume: ({ size }) => size - 1,
    round(_, { size, rank, slots }, emit) {
      if (slots) emit.copy(IN, 0, SLOT, 0)
      emit.publish(0)
      emit.copy(IN, 0, OUT, rank)
      for (let d = 1; d < size; d++) {
        const peer = (rank + d) % size
        emit.awaitPublished(peer, 0)
        emit.get(peer, slots ? SLOT : IN, 0, OUT, peer)
      }
      emit.meet(1)
    },
  })
  expect(kindOf(direct)).toBe(undefined)
  expect(kindOf(mutant(direct, () => ({ awaitPublished: nothing })))).toBe('race')
  expect(kindOf(mutant(direct, () => ({ meet: nothing })))).toBe('race')
})

test('checkAlgorithm sees that rounds are in the wrong order', () => {
  const backwards: Algorithm = {
    ...binomialTree,
    round: (k, env, emit) => binomialTree.round(binomialTree.rounds(env) - 1 - k, env, emit),
  }
  expect(checkAlgorithm(backwards)).toMatchObject({ kind: 'nothing there', size: 3 })
})

test('checkAlgorithm sees that the input is written', () => {
  const intoInput = mutant(linearScan, (emit) => ({
    receiveReduce: (peer, _, ...rest) => emit.receiveReduce(peer, IN, ...rest),
  }))
  expect(kindOf(intoInput)).toBe('input written')
})

test('checkAlgorithm sees what is wrong only in place', () => {
  const late = mutant(linearExscan, (emit) => ({
    copy: nothing,
    receive(peer, buffer, index) {
      emit.receive(peer, buffer, index)
      emit.copy(IN, 0, TMP, 0)
    },
  }))
  const violation = checkAlgorithm({ ...late, scratch: () => [0] })
  expect(violation).toMatchObject({ kind: 'wrong result', size: 3, rank: 2 })
})

test('checkAlgorithm sees results that are not the same everywhere', () => {
  const ownFirst = mutant(recursiveDoubling, (emit) => ({
    reduce: (from, index, to, toIndex, count) =>
      emit.reduce(from, index, to, toIndex, count, HIGHER),
  }))
  expect(kindOf(ownFirst)).toBe('wrong result')
  expect(kindOf({ ...ownFirst, needs: { commutative: true } })).toBe('different trees')
})

test('checkAlgorithm sees a cost that is not what is declared', () => {
  const rounds = (): number => 1
  const allAtOnce: Algorithm = {
    ...linearScan,
    rounds,
    round(_, env, emit) {
      for (let k = 0; k < linearScan.rounds(env); k++) linearScan.round(k, env, emit)
    },
  }
  expect(checkAlgorithm(allAtOnce)).toMatchObject({ kind: 'rounds', size: 3 })
  expect(checkAlgorithm({ ...linearBcast, volume: rounds })).toMatchObject({ kind: 'volume' })
})
