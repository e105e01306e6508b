import { collectiveAlgorithms, defineCollective, IN, LOWER, OUT, TMP } from '@commworld/mpi/plan'
import type { Algorithm } from '@commworld/mpi/plan'
import { checkAlgorithm } from '@commworld/testing'
import { expect, test } from 'vitest'

// More of the mistakes of known-bugs.test.ts: those that an algorithm can make.

const card = { title: 'a known bug', source: 'a bug report', use: 'never', cost: '-' }

type Card = Parameters<typeof defineCollective>[0]

function algorithm(rest: Omit<Card, keyof typeof card | 'name'>): Algorithm {
  return defineCollective({ ...card, name: 'known-bug', ...rest })
}

function faultOf(wrong: Algorithm): string {
  const fault = checkAlgorithm(wrong, { ranks: 9 })
  if (fault === undefined) return 'nothing'
  const { kind, run } = fault
  return `${kind} at ${run.size}${run.root > 0 ? `, root ${run.root}` : ''}${run.inPlace ? ', in place' : ''}`
}

function named(collective: string, name: string): Algorithm {
  return collectiveAlgorithms.find((one) => one.collective === collective && one.name === name)!
}

test('B7: one side takes a block for no message, the other sends it', () => {
  const right = named('scatter', 'linear')
  const wrong: Algorithm = {
    ...right,
    round: (k, env, emit) => {
      if (env.rank !== env.size - 1 || env.rank === env.root) right.round(k, env, emit)
    },
  }
  expect(faultOf(wrong)).toBe('deadlock at 2')
})

test('B10: gathered blocks are put in the order of the tree, not of the ranks', () => {
  const wrong = algorithm({
    collective: 'gather',
    rounds: () => 1,
    volume: () => 1,
    round(_, { size, rank, root }, emit) {
      if (rank !== root) return emit.send(root, IN, 0)
      emit.copy(IN, 0, OUT, 0)
      for (let d = 1; d < size; d++) emit.receive((root + d) % size, OUT, d)
    },
  })
  expect(faultOf(wrong)).toBe('lengths differ at 2, root 1')
  // Equal lengths hide it no longer than until results are compared.
  expect(faultOf({ ...wrong, needs: { equalBlocks: true } })).toBe('wrong result at 2, root 1')
})

test('B11: the room for what a subtree gets is one block too small', () => {
  const right = named('scatter', 'binomial-tree')
  const wrong: Algorithm = { ...right, scratch: (env) => right.scratch!(env).slice(0, -1) }
  expect(faultOf(wrong)).not.toBe('nothing')
})

test('B12: an all-to-all in place takes displacements for those of the other side', () => {
  const wrong = algorithm({
    collective: 'alltoall',
    rounds: ({ size }) => Math.max(1, size - 1),
    volume: ({ size }) => size - 1,
    round(k, { size, rank }, emit) {
      if (k === 0) emit.copy(IN, rank, OUT, rank)
      if (size === 1) return
      const to = (rank + k + 1) % size
      const from = (rank + size - k - 1) % size
      emit.receive(from, OUT, to)
      emit.send(to, IN, to)
    },
  })
  // With two ranks both neighbours are the same one.
  expect(faultOf(wrong)).toBe('lengths differ at 3')
})

test('B13: an all-to-all sends the block of its own number', () => {
  const right = named('alltoall', 'linear')
  const wrong: Algorithm = {
    ...right,
    round: (k, env, emit) =>
      right.round(k, env, {
        ...bound(emit),
        send: (peer, buffer) => emit.send(peer, buffer, env.rank),
      }),
  }
  expect(faultOf(wrong)).toBe('lengths differ at 2')
})

test('B14: Bruck sends blocks of one length into those of another', () => {
  const right = named('alltoall', 'bruck')
  expect(faultOf(right)).toBe('nothing')
  expect(faultOf({ ...right, needs: {} })).toMatch(/^lengths differ at [23]/)
})

test('B19: a reduce-scatter writes all blocks where there is room for one', () => {
  const wrong = algorithm({
    collective: 'reduceScatter',
    needs: { commutative: true },
    scratch: ({ size }) => Array.from({ length: size }, (_, block) => block),
    rounds: () => 1,
    volume: ({ size }) => (size - 1) * size,
    round(_, { size, rank }, emit) {
      emit.copy(IN, 0, TMP, 0, size)
      for (let d = 1; d < size; d++) {
        emit.send((rank + d) % size, IN, 0, size)
        emit.receiveReduce((rank + size - d) % size, TMP, 0, size, LOWER)
      }
      emit.copy(TMP, 0, OUT, 0, size)
    },
  })
  expect(faultOf(wrong)).toMatch(/^lengths differ at 2/)
})

test('B20: what is cut is counted in 32 bits', () => {
  const wrong = { ...named('bcast', 'pipelined-chain') }
  wrong.cut = ({ bytes }) => Math.ceil((bytes | 0) / 8192) || 1
  const fault = checkAlgorithm(wrong, { ranks: [2] })
  expect(fault?.kind).toBe('misbehaves')
  expect(fault?.text).toMatch(/cut\(\{ size: 2, bytes: \d+, elements: \d+ \}\) is -\d+/)
  wrong.cut = ({ bytes }) => Math.max(1, Math.ceil(bytes / 8192))
  expect(checkAlgorithm(wrong, { ranks: [2] })?.text).toContain('more than 32 bits count')
})

test('B21: a rank that has nothing to give takes no part, and the others wait for it', () => {
  const right = named('alltoall', 'pairwise')
  const wrong: Algorithm = {
    ...right,
    round: (k, env, emit) => {
      if (k < 2 || env.rank !== 0) right.round(k, env, emit)
    },
  }
  expect(faultOf(wrong)).toMatch(/^(deadlock|nothing there|wrong result) at [34]/)
})

test('B22: a reduce-scatter leaves at each rank the block of the next', () => {
  const wrong = algorithm({
    collective: 'reduceScatter',
    needs: { commutative: true },
    scratch: ({ size }) => Array.from({ length: size }, (_, block) => block),
    rounds: ({ size }) => Math.max(1, size - 1),
    volume: ({ size }) => size - 1,
    round(k, { size, rank }, emit) {
      if (k === 0) emit.copy(IN, 0, TMP, 0, size)
      if (size > 1) {
        emit.send((rank + 1) % size, TMP, rank + size - k)
        emit.receiveReduce((rank + size - 1) % size, TMP, rank + 2 * size - k - 1, 1, LOWER)
      }
      if (k === Math.max(0, size - 2)) emit.copy(TMP, (rank + 1) % size, OUT, 0)
    },
  })
  expect(faultOf(wrong)).toBe('lengths differ at 2')
  expect(faultOf({ ...wrong, needs: { commutative: true, equalBlocks: true } })).toBe(
    'wrong result at 2',
  )
})

test('B25: the root of a reduction in place counts its own part twice', () => {
  const wrong = algorithm({
    collective: 'reduce',
    needs: { commutative: true },
    rounds: ({ size }) => Math.max(1, size - 1),
    volume: ({ size }) => Math.min(1, size - 1),
    round(_, { size, rank, root }, emit) {
      if (rank !== root) return _ === 0 ? emit.send(root, IN, 0) : undefined
      if (_ > 0) return
      if (size === 1) return emit.copy(IN, 0, OUT, 0)
      for (let d = 1; d < size; d++) {
        const peer = (root + d) % size
        if (d === 1) emit.receive(peer, OUT, 0)
        else emit.receiveReduce(peer, OUT, 0, 1, LOWER)
      }
      emit.reduce(IN, 0, OUT, 0, 1, LOWER)
    },
  })
  expect(faultOf(wrong)).toBe('wrong result at 2, in place')
})

test('B28: all groups are taken to be equally large', () => {
  const GROUP = 3
  const wrong = algorithm({
    collective: 'bcast',
    rounds: ({ size }) => size,
    volume: ({ size }) => size - 1,
    round(k, { size, rank, root }, emit) {
      // The first of each group hands on to the group; the root sends to the first of all.
      const place = (rank + size - root) % size
      const at = (other: number): number => (other + root) % size
      if (k === 0 && place === 0) {
        for (let head = GROUP; head + GROUP <= size; head += GROUP) emit.send(at(head), OUT, 0)
      }
      if (k === 0 && place > 0 && place % GROUP === 0) emit.receive(root, OUT, 0)
      if (k === 1 && place % GROUP === 0) {
        for (let one = place + 1; one < place + GROUP && one < size; one++)
          emit.send(at(one), OUT, 0)
      }
      if (k === 1 && place % GROUP !== 0) emit.receive(at(place - (place % GROUP)), OUT, 0)
    },
  })
  const fault = checkAlgorithm({ ...wrong, volume: () => 0 }, { ranks: 12 })
  expect([fault?.kind, fault?.run.size]).toEqual(['deadlock', 4])
})

/** The methods of an emitter, to be spread. */
function bound<E extends object>(emit: E): E {
  const get = (_: object, name: string): unknown =>
    (emit[name as keyof E] as (...words: unknown[]) => void).bind(emit)
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(emit))
  return Object.fromEntries(names.map((name) => [name, get(emit, name)])) as E
}
