import {
  collectiveAlgorithms,
  defineCollective,
  HIGHER,
  IN,
  LOWER,
  OUT,
  TMP,
  type Algorithm,
  type Emit,
} from '@commworld/mpi/plan'
import { checkAlgorithm } from '@commworld/testing'
import { expect, test } from 'vitest'

// Mistakes that other libraries have had in public, made again in small, each under the name by which
// our list of them knows it. All are found with a handful of ranks.

const card = { title: 'a known bug', source: 'a bug report', use: 'never', cost: '-' }

type Card = Parameters<typeof defineCollective>[0]

function algorithm(rest: Omit<Card, keyof typeof card | 'name'>): Algorithm {
  return defineCollective({ ...card, name: 'known-bug', ...rest })
}

function faultOf(wrong: Algorithm): string {
  const fault = checkAlgorithm(wrong, { ranks: 9 })
  return fault === undefined ? 'nothing' : `${fault.kind} at ${fault.run.size}`
}

function named(collective: string, name: string): Algorithm {
  return collectiveAlgorithms.find((one) => one.collective === collective && one.name === name)!
}

/** Everybody sends everything to everybody, and folds beginning with `first`. */
function gatherThenFold(first: (rank: number) => number, commutative: boolean): Algorithm {
  return algorithm({
    collective: 'allreduce',
    ...(commutative && { needs: { commutative } }),
    scratch: ({ size }) => Array.from({ length: size }, () => 0),
    rounds: () => 1,
    volume: ({ size }) => size - 1,
    round(_, { size, rank }, emit) {
      emit.copy(IN, 0, TMP, rank)
      for (let d = 1; d < size; d++)
        emit.receive((rank + size - d) % size, TMP, (rank + size - d) % size)
      for (let d = 1; d < size; d++) emit.send((rank + d) % size, IN, 0)
      const start = first(rank)
      emit.copy(TMP, start, OUT, 0)
      for (let d = 1; d < size; d++) emit.reduce(TMP, (start + d) % size, OUT, 0, 1, HIGHER)
    },
  })
}

test('B1: an in-place allreduce reads what it has overwritten', () => {
  const wrong = algorithm({
    collective: 'allreduce',
    needs: { commutative: true },
    scratch: () => [0],
    rounds: () => 1,
    volume: ({ size }) => size - 1,
    round(_, { size, rank }, emit) {
      emit.copy(IN, 0, OUT, 0)
      for (let d = 1; d < size; d++) {
        emit.receive((rank + size - d) % size, TMP, 0)
        emit.send((rank + d) % size, IN, 0)
        emit.reduce(TMP, 0, OUT, 0, 1, LOWER)
      }
    },
  })
  const fault = checkAlgorithm(wrong, { ranks: 5 })
  expect(fault?.kind).toMatch(/wrong result|different trees/)
})

test('B2: every rank folds in an order of its own', () => {
  expect(faultOf(gatherThenFold((rank) => rank, true))).toBe('different trees at 2')
  expect(faultOf(gatherThenFold((rank) => rank, false))).toBe('wrong result at 2')
  expect(faultOf(gatherThenFold(() => 0, false))).toBe('nothing')
})

test('B3: in a recursive exchange each rank folds its own value first', () => {
  const right = named('allreduce', 'recursive-doubling')
  const wrong: Algorithm = {
    ...right,
    needs: { ...right.needs, commutative: true },
    round(k, env, emit) {
      const get = (_: unknown, name: string): unknown =>
        name === 'reduce'
          ? (...words: Parameters<typeof emit.reduce>) =>
              emit.reduce(words[0], words[1], words[2], words[3], words[4], HIGHER)
          : (emit[name as keyof typeof emit] as (...words: unknown[]) => void).bind(emit)
      right.round(k, env, new Proxy<Emit>(emit, { get }))
    },
  }
  expect(faultOf(wrong)).toBe('different trees at 2')
})

test('B6: a broadcast by parts counts its parts as if ranks were a power of two', () => {
  const wrong = algorithm({
    collective: 'bcast',
    cut: ({ size }) => 2 ** Math.floor(Math.log2(size)),
    rounds: ({ size }) => Math.max(1, size - 1),
    volume: ({ size, blocks }) => (size === 1 ? 0 : blocks * (size - 1)),
    round(_, { size, rank, root, blocks }, emit) {
      if (_ > 0 || size === 1) return
      if (rank !== root) emit.receive(root, OUT, 0, blocks)
      else for (let r = 0; r < size; r++) if (r !== root) emit.send(r, OUT, 0, size)
    },
  })
  expect(faultOf(wrong)).toBe('deadlock at 3')
})

test('B9: the role of a rank is computed from its number, not from that behind the root', () => {
  const right = named('bcast', 'binomial-tree')
  const wrong: Algorithm = {
    ...right,
    round: (k, env, emit) => right.round(k, env.rank % 2 === 1 ? { ...env, root: 0 } : env, emit),
  }
  const fault = checkAlgorithm(wrong, { ranks: 9 })
  expect([fault?.run.size, fault?.run.root]).toEqual([2, 1])
})

test('B15: state is set up outside of the rounds, so the second start is wrong', () => {
  const right = named('bcast', 'linear')
  const started = new Set<string>()
  const wrong: Algorithm = {
    ...right,
    round(k, env, emit) {
      const key = `${env.size} ${env.root} ${env.rank}`
      if (env.rank === env.root && started.has(key)) return
      started.add(key)
      right.round(k, env, emit)
    },
  }
  expect(faultOf(wrong)).toBe('not a function at 2')
})

test('B18: a reduction that does not commute is rotated to the root', () => {
  const right = named('reduce', 'binomial-tree')
  expect(checkAlgorithm(right, { ranks: 9 })).toBe(undefined)
  const wrong = algorithm({
    collective: 'reduce',
    rounds: ({ size }) => Math.max(1, size - 1),
    volume: () => 1,
    round(k, { size, rank, root }, emit) {
      const place = (rank + size - root) % size
      if (k === 0 && place === 0) emit.copy(IN, 0, OUT, 0)
      if (place === 0 && k < size - 1) emit.receiveReduce((root + k + 1) % size, OUT, 0, 1, HIGHER)
      if (place === k + 1) emit.send(root, IN, 0)
    },
  })
  const fault = checkAlgorithm(wrong, { ranks: 9 })
  expect([fault?.kind, fault?.run.size, fault?.run.root]).toEqual(['wrong result', 2, 1])
  expect(fault?.text).toContain('out of order')
})

test('B23: rank 0 of a ring awaits rank -1', () => {
  const wrong = algorithm({
    collective: 'barrier',
    rounds: ({ size }) => 2 * size,
    volume: () => 0,
    round(k, { size, rank }, emit) {
      if (size === 1 || k > 1) return
      if (rank > 0 || k > 0) emit.await(rank - 1)
      emit.signal((rank + 1) % size)
    },
  })
  expect(faultOf(wrong)).toBe('out of range at 2')
})

test('B27: the power of a radix comes from a logarithm in floating point', () => {
  // log 8 times 1 / log 2 is not quite 3.
  const wrong = algorithm({
    collective: 'barrier',
    radix: 2,
    rounds: ({ size, radix }) => Math.floor(Math.log(size) * (1 / Math.log(radix))),
    volume: () => 0,
    round(k, { size, rank, radix }, emit) {
      const step = radix ** k
      for (let j = 1; j < radix; j++) emit.signal((rank + j * step) % size)
      for (let j = 1; j < radix; j++) emit.await((rank + size * j - ((j * step) % size)) % size)
    },
  })
  const fault = checkAlgorithm(wrong, { ranks: [1, 2, 4, 8, 16], radices: [2] })
  expect([fault?.kind, fault?.run.size]).toEqual(['too early', 8])
})

test('B29: two ranks divide by zero', () => {
  const wrong = algorithm({
    collective: 'bcast',
    rounds: ({ size }) => Math.ceil((size - 1) / (size - 2)),
    volume: ({ size }) => size - 1,
    round(_, env, emit) {
      named('bcast', 'linear').round(0, env, emit)
    },
  })
  expect(faultOf(wrong)).toMatch(/^misbehaves at [12]$/)
})

test('B30: the last segment is sent with the length of the others', () => {
  const right = named('bcast', 'pipelined-chain')
  const wrong: Algorithm = {
    ...right,
    round(k, env, emit) {
      const last = env.blocks - 1
      const get = (_: unknown, name: string): unknown =>
        name === 'send'
          ? (...[peer, buffer, index, count]: Parameters<typeof emit.send>) =>
              emit.send(peer, buffer, index === last && last > 0 ? index - 1 : index, count)
          : (emit[name as keyof typeof emit] as (...words: unknown[]) => void).bind(emit)
      right.round(k, env, new Proxy<Emit>(emit, { get }))
    },
  }
  expect(faultOf(wrong)).toBe('lengths differ at 2')
})
