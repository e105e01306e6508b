import {
  collectiveAlgorithms,
  defineCollective,
  HIGHER,
  IN,
  LOWER,
  OUT,
  TMP,
  type Algorithm,
} from '@commworld/mpi/plan'
import { checkAlgorithm } from '@commworld/testing'
import { expect, test } from 'vitest'

// Algorithms as they are written the first time. Each is wrong in one way that is easy to make, and found
// with as few ranks as it can show at.

const card = { title: 'a mistake', source: 'this test', use: 'never', cost: '-', name: 'mine' }

type Card = Omit<Parameters<typeof defineCollective>[0], keyof typeof card>

const log2 = (size: number): number => Math.ceil(Math.log2(size))

/** A broadcast down a binomial tree; `placeOf` says where in the tree a rank is. */
function binomial(
  placeOf: (rank: number, root: number, size: number) => number,
  rankOf: (place: number, root: number, size: number) => number,
): Card {
  return {
    collective: 'bcast',
    rounds: ({ size }) => log2(size),
    volume: ({ size }) => log2(size),
    round(k, { size, rank, root }, emit) {
      const place = placeOf(rank, root, size)
      const far = 2 ** k
      if (place < far && place + far < size) emit.send(rankOf(place + far, root, size), OUT, 0)
      if (place >= far && place < 2 * far) emit.receive(rankOf(place - far, root, size), OUT, 0)
    },
  }
}

const behind = (rank: number, root: number, size: number): number => (rank - root + size) % size
const ahead = (place: number, root: number, size: number): number => (place + root) % size

function doubling(partnerOf: (rank: number, far: number, size: number) => number): Card {
  return {
    collective: 'allreduce',
    needs: { commutative: true },
    scratch: () => [0],
    rounds: ({ size }) => Math.max(1, log2(size)),
    volume: ({ size }) => log2(size),
    round(k, { size, rank }, emit) {
      if (k === 0) emit.copy(IN, 0, OUT, 0)
      const partner = partnerOf(rank, 2 ** k, size)
      if (partner === rank || partner >= size || size === 1) return
      emit.send(partner, OUT, 0)
      emit.receive(partner, TMP, 0)
      emit.reduce(TMP, 0, OUT, 0, 1, partner < rank ? LOWER : HIGHER)
    },
  }
}

/** An allgather round a ring; block `given` goes to the right in round `k`. */
function ring(givenOf: (rank: number, k: number, size: number) => number, rounds = 1): Card {
  return {
    collective: 'allgather',
    rounds: ({ size }) => Math.max(1, size - rounds),
    volume: ({ size }) => Math.max(0, size - rounds),
    round(k, { size, rank }, emit) {
      if (k === 0) emit.copy(IN, 0, OUT, rank)
      if (size === 1) return
      const left = (rank + size - 1) % size
      emit.send((rank + 1) % size, OUT, givenOf(rank, k, size))
      emit.receive(left, OUT, givenOf(left, k, size))
    },
  }
}

function bruck(rotates: boolean, countOf: (far: number, size: number) => number): Card {
  return {
    collective: 'allgather',
    needs: { equalBlocks: true },
    scratch: ({ size }) => Array.from({ length: size }, (_, block) => block),
    rounds: ({ size }) => log2(size) + 1,
    volume: ({ size }) => size - 1,
    round(k, { size, rank }, emit) {
      if (k === 0) emit.copy(IN, 0, TMP, 0)
      if (k === log2(size)) return emit.copy(TMP, 0, OUT, rotates ? rank : 0, size)
      const far = 2 ** k
      const count = countOf(far, size)
      emit.send((rank - far + size) % size, TMP, 0, count)
      emit.receive((rank + far) % size, TMP, far, count)
    },
  }
}

function pairwise(toOf: (rank: number, k: number, size: number) => number): Card {
  return {
    collective: 'alltoall',
    rounds: ({ size }) => size,
    volume: ({ size }) => size - 1,
    round(k, { size, rank }, emit) {
      if (k === 0) return emit.copy(IN, rank, OUT, rank)
      const to = toOf(rank, k, size)
      if (to >= size || to === rank) return
      const from = toOf(rank, size - k, size) < size ? (rank - (to - rank) + 2 * size) % size : to
      emit.send(to, IN, to)
      emit.receive(from, OUT, from)
    },
  }
}

function scan(side: typeof LOWER | typeof HIGHER, far: (k: number) => number): Card {
  return {
    collective: 'scan',
    rounds: ({ size }) => Math.max(1, log2(size)),
    volume: ({ size }) => log2(size),
    scratch: () => [0],
    round(k, { size, rank }, emit) {
      if (k === 0) emit.copy(IN, 0, OUT, 0)
      const distance = far(k)
      if (rank + distance < size) emit.send(rank + distance, OUT, 0)
      if (rank < distance) return
      emit.receive(rank - distance, TMP, 0)
      emit.reduce(TMP, 0, OUT, 0, 1, side)
    },
  }
}

function chain(segmentOf: (k: number, place: number) => number): Card {
  return {
    collective: 'bcast',
    cut: ({ bytes }) => Math.min(4, Math.max(1, Math.ceil(bytes / 1024))),
    rounds: ({ size, blocks }) => size - 1 + blocks,
    volume: ({ size, blocks }) => (size === 1 ? 0 : blocks),
    round(k, { size, rank, root, blocks }, emit) {
      const place = behind(rank, root, size)
      const coming = segmentOf(k, place - 1)
      const going = segmentOf(k, place)
      if (place > 0 && coming >= 0 && coming < blocks) {
        emit.receive(ahead(place - 1, root, size), OUT, coming)
      }
      if (place < size - 1 && going >= 0 && going < blocks) {
        emit.send(ahead(place + 1, root, size), OUT, going)
      }
    },
  }
}

function dissemination(rounds: (size: number, radix: number) => number): Card {
  return {
    collective: 'barrier',
    radix: 3,
    rounds: ({ size, radix }) => rounds(size, radix),
    volume: () => 0,
    round(k, { size, rank, radix }, emit) {
      const step = radix ** k
      for (let j = 1; j < radix && j * step < size; j++) emit.signal((rank + j * step) % size)
      for (let j = 1; j < radix && j * step < size; j++) emit.await((rank - j * step + size) % size)
    },
  }
}

const enough = (size: number, radix: number): number => {
  let rounds = 0
  for (let reached = 1; reached < size; reached *= radix) rounds++
  return rounds
}

/** Reduce-scatter in which each block goes round the ring and is folded on its way. */
function ringReduceScatter(first: number): Card {
  return {
    collective: 'reduceScatter',
    needs: { commutative: true },
    scratch: ({ size }) => Array.from({ length: size }, (_, block) => block),
    rounds: ({ size }) => Math.max(1, size - 1),
    volume: ({ size }) => size - 1,
    round(k, { size, rank }, emit) {
      if (k === 0) emit.copy(IN, 0, TMP, 0, size)
      if (size > 1) {
        const given = (rank + 2 * size - k - first) % size
        emit.send((rank + 1) % size, TMP, given)
        emit.receiveReduce((rank + size - 1) % size, TMP, (given + size - 1) % size, 1, LOWER)
      }
      if (k === Math.max(0, size - 2)) emit.copy(TMP, rank, OUT, 0)
    },
  }
}

const wrongLeft = (rank: number, k: number, size: number): number => (rank + k) % size
const half = (count: (far: number, size: number) => number) => bruck(true, count)

/** What is wrong, what is found, and with how many ranks. */
const mistakes: readonly [what: string, card: Card, kind: string, ranks: number][] = [
  [
    'a root other than 0 is forgotten in sending',
    binomial(behind, (place) => place),
    'deadlock',
    2,
  ],
  [
    'the virtual rank is turned the other way',
    binomial((r, root, p) => (r + root) % p, ahead),
    'nothing there',
    3,
  ],
  [
    'recursive doubling with partners that are not there',
    doubling((r, far) => r ^ far),
    'wrong result',
    3,
  ],
  [
    'recursive doubling with partners by addition',
    doubling((r, far, p) => (r + far) % p),
    'deadlock',
    3,
  ],
  ['a ring that hands on the block of the wrong round', ring(wrongLeft), 'nothing there', 3],
  [
    'a ring that goes round one time too few',
    ring((r, k, p) => (r + p - k) % p, 2),
    'wrong result',
    3,
  ],
  [
    'Bruck whose last rotation is lost',
    bruck(false, (far, p) => Math.min(far, p - far)),
    'wrong result',
    2,
  ],
  ['Bruck whose last round sends as much as the others', half((far) => far), 'lengths differ', 3],
  [
    'an all-to-all by exclusive or at sizes that are no powers of two',
    pairwise((r, k) => r ^ k),
    '',
    3,
  ],
  ['a scan that folds from the wrong side', scan(HIGHER, (k) => 2 ** k), 'wrong result', 2],
  ['a scan whose distance grows by one', scan(LOWER, (k) => k + 1), 'wrong result', 5],
  ['a pipeline that is one segment ahead of itself', chain((k, place) => k - place + 1), '', 2],
  [
    'a pipeline that leaves the last segment out',
    chain((k, place) => (k - place > 2 ? -1 : k - place)),
    '',
    2,
  ],
  [
    'dissemination with a logarithm to base 2 of a radix 3',
    dissemination((p) => Math.floor(Math.log2(p) / 2)),
    'too early',
    2,
  ],
  [
    'dissemination with one round too few',
    dissemination((p, r) => Math.max(0, enough(p, r) - 1)),
    'too early',
    2,
  ],
  [
    'dissemination with rounds from a rounded logarithm',
    dissemination((p, r) => Math.round(Math.log(p) / Math.log(r))),
    'too early',
    2,
  ],
  ['a reduce-scatter that begins with its own block', ringReduceScatter(0), 'wrong result', 2],
]

test.each(mistakes)('%s', (_, wrong, kind, ranks) => {
  const fault = checkAlgorithm(defineCollective({ ...card, ...wrong }), { ranks: 17 })
  expect(fault?.text).toContain(kind)
  expect([fault?.run.size, fault?.kind]).toEqual([ranks, kind === '' ? fault?.kind : kind])
})

const right: readonly [what: string, card: Card][] = [
  ['binomial tree', binomial(behind, ahead)],
  ['ring allgather', ring((rank, k, size) => (rank + size - k) % size)],
  ['Bruck', bruck(true, (far, size) => Math.min(far, size - far))],
  ['scan', scan(LOWER, (k) => 2 ** k)],
  ['pipelined chain', chain((k, place) => k - place)],
  ['dissemination', dissemination(enough)],
  ['ring reduce-scatter', ringReduceScatter(1)],
]

test.each(right)('%s, done right, raises no alarm', (_, algorithm) => {
  const fault = checkAlgorithm(defineCollective({ ...card, ...algorithm }), { ranks: 17 })
  expect(fault?.text).toBe(undefined)
})

test('a single case of hundreds of ranks is quick', () => {
  const named = (collective: string, name: string): Algorithm =>
    collectiveAlgorithms.find((one) => one.collective === collective && one.name === name)!
  const one = { ranks: [512], roots: [0] }
  expect(checkAlgorithm(named('bcast', 'binomial-tree'), one)).toBe(undefined)
  expect(checkAlgorithm(named('allreduce', 'recursive-doubling'), one)).toBe(undefined)
  const wrong = defineCollective({ ...card, ...scan(LOWER, (k) => 2 ** k + (k > 7 ? 1 : 0)) })
  expect(checkAlgorithm(wrong, one)?.kind).toBe('wrong result')
})
