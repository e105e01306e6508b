import {
  AgreementError,
  BlockError,
  collectiveAlgorithms,
  Datatype,
  local,
  MAX,
  Op,
  SUM,
  type Communicator,
} from '@commworld/mpi'
import { describe, expect, test } from 'vitest'

type Call = (world: Communicator) => PromiseLike<unknown>

const ring = collectiveAlgorithms.find(
  ({ collective, name }) => collective === 'allgather' && name === 'ring',
)!
const f64 = (length: number): Float64Array => new Float64Array(length)
const first = Op.create((a: number, b: number) => a + b, { name: 'first' })
const second = Op.create((a: number, b: number) => a * b, { name: 'second' })
const onArrays = Op.create(() => {}, { name: 'onArrays' })
const blocks = (...counts: number[]) => ({ data: f64(4), counts })
const fours = { data: f64(8), datatype: Datatype.contiguous(4), count: 2 }

/** What two ranks call, and what the error of either says of the two. */
const differing: readonly [what: string, a: Call, b: Call, says: [RegExp, RegExp]][] = [
  [
    'operations',
    (world) => world.ibcast(1),
    (world) => world.iallreduce(1, SUM),
    [/ibcast \(root 0\)/, /iallreduce \(SUM\)/],
  ],
  [
    'roots',
    (world) => world.ibcast(1, { root: 0 }),
    (world) => world.ibcast(1, { root: 1 }),
    [/ibcast \(root 0\)/, /ibcast \(root 1\)/],
  ],
  [
    'reductions',
    (world) => world.iscan(1, SUM),
    (world) => world.iscan(1, MAX),
    [/iscan \(SUM\)/, /iscan \(MAX\)/],
  ],
  [
    'reductions of the user',
    (world) => world.iallreduce(1, first),
    (world) => world.iallreduce(1, second),
    [/iallreduce \((first|another reduction of the user)\)/, /iallreduce \((second|another .*)\)/],
  ],
  [
    'kinds',
    (world) => world.iallreduceInto(f64(2), f64(2), SUM),
    (world) => world.iallreduceInto(new Int32Array(2), new Int32Array(2), SUM),
    [/SUM, 2 float64/, /SUM, 2 int32/],
  ],
  [
    'counts',
    (world) => world.ibcastInto(f64(2)),
    (world) => world.ibcastInto(f64(3)),
    [/root 0, 2 float64/, /root 0, 3 float64/],
  ],
  [
    'round counts, too large to be told exactly',
    (world) => world.ibcastInto(f64(100_000)),
    (world) => world.ibcastInto(f64(200_000)),
    [/100000 float64|other counts/, /200000 float64|other counts/],
  ],
  [
    'counts of a gather',
    (world) => world.igatherInto(f64(2), f64(4)),
    (world) => world.igatherInto(f64(3), undefined),
    [/root 0, 2 float64/, /root 0, 3 float64/],
  ],
  [
    'values and memory',
    (world) => world.ibcast(1),
    (world) => world.ibcastInto(f64(1)),
    [/ibcast \(root 0\)/, /ibcastInto \(root 0, 1 float64\)/],
  ],
  [
    'blocks of equal and of other lengths',
    (world) => world.igatherInto(f64(1), f64(2)),
    (world) => world.igathervInto(f64(1), undefined),
    [/igatherInto/, /igathervInto/],
  ],
  [
    'forms',
    (world) => world.iallreduce(1, SUM),
    (world) => world.allreduceInit(1, SUM).start(),
    [/iallreduce \(SUM\)/, /allreduceInit \(SUM\)/],
  ],
  [
    'lengths of an allgather',
    (world) => world.iallgathervInto(f64(1), blocks(1, 2)),
    (world) => world.iallgathervInto(f64(1), blocks(2, 1)),
    [/counts 1, 2|other counts/, /counts 2, 1|other counts/],
  ],
  [
    'lengths of a reduce-scatter, of the same sum',
    (world) => world.ireduceScatterInto(blocks(1, 3), f64(1), SUM),
    (world) => world.ireduceScatterInto(blocks(2, 2), f64(2), SUM),
    [/counts 1, 3|other counts/, /counts 2, 2|other counts/],
  ],
  [
    'items that a function of the user takes',
    (world) => world.iallreduceInto(f64(8), f64(8), onArrays),
    (world) => world.iallreduceInto(fours, f64(8), onArrays),
    [/onArrays, 8 float64|other counts/, /items of 4|onArrays, float64, other counts/],
  ],
  [
    'algorithms',
    (world) => world.iallreduce(1, SUM, { algorithm: 'direct' }),
    (world) => world.iallreduce(1, SUM, { algorithm: 'recursive-doubling' }),
    [/iallreduce \(SUM, by direct\)/, /iallreduce \(SUM, by recursive-doubling\)/],
  ],
  [
    'algorithms of memory, which one names',
    (world) => world.ibcastInto(f64(2), { algorithm: 'linear' }),
    (world) => world.ibcastInto(f64(2)),
    [/root 0, 2 float64, by linear\)/, /root 0, 2 float64\)/],
  ],
  [
    'radices',
    (world) => world.ibcast(1, { algorithm: 'binomial-tree' }),
    (world) => world.ibcast(1, { algorithm: 'binomial-tree:3' }),
    [/by binomial-tree\)/, /by binomial-tree:3|another algorithm/],
  ],
  [
    'algorithms of their own',
    (world) => world.iallgather(1, { algorithm: { ...ring, name: 'one' } }),
    (world) => world.iallgather(1, { algorithm: { ...ring, name: 'another' } }),
    [/by one|another algorithm/, /by another|another algorithm/],
  ],
]

describe('ranks that do not agree are told what both have called', () => {
  test.each(differing)('on %s', async (_, a, b, [ofA, ofB]) => {
    for (const seed of [0, 1, 2]) {
      const run = local(2, async ({ world }) => await (world.rank === 0 ? a : b)(world), { seed })
      const error: unknown = await run.catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(AgreementError)
      const { message } = error as AgreementError
      expect(message).toMatch(/^collective #0 on `world` does not agree: this rank calls /)
      expect(message).toMatch(ofA)
      expect(message).toMatch(ofB)
    }
  })
})

/** Lengths that only two of the ranks know of. */
const unequal: readonly [what: string, a: Call, b: Call][] = [
  [
    'gatherv',
    (world) => world.igathervInto(f64(1), blocks(1, 2)),
    (world) => world.igathervInto(f64(1), undefined),
  ],
  [
    'scatterv',
    (world) => world.iscattervInto(blocks(1, 2), f64(1)),
    (world) => world.iscattervInto(undefined, f64(1)),
  ],
  [
    'alltoallv',
    (world) => world.ialltoallvInto(blocks(1, 2), blocks(1, 2)),
    (world) => world.ialltoallvInto(blocks(1, 2), blocks(1, 2)),
  ],
  [
    'alltoallv, of which one is empty',
    (world) => world.ialltoallvInto(blocks(1, 0), blocks(1, 2)),
    (world) => world.ialltoallvInto(blocks(2, 1), blocks(1, 1)),
  ],
  [
    'gatherv by messages',
    (world) => world.igathervInto(f64(1), blocks(1, 2), { algorithm: 'linear' }),
    (world) => world.igathervInto(f64(1), undefined, { algorithm: 'linear' }),
  ],
  [
    'scatterv by messages',
    (world) => world.iscattervInto(blocks(1, 2), f64(1), { algorithm: 'linear' }),
    (world) => world.iscattervInto(undefined, f64(1), { algorithm: 'linear' }),
  ],
  [
    'alltoallv by messages',
    (world) => world.ialltoallvInto(blocks(1, 0), blocks(1, 2), { algorithm: 'pairwise' }),
    (world) => world.ialltoallvInto(blocks(2, 1), blocks(1, 1), { algorithm: 'pairwise' }),
  ],
]

describe('a block that is not as long as its receiver says is an error with both lengths', () => {
  test.each(unequal)('of %s', async (_, a, b) => {
    const run = local(2, async ({ world }) => await (world.rank === 0 ? a : b)(world))
    const error: unknown = await run.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BlockError)
    const { message, sentBytes, expectedBytes } = error as BlockError
    expect(message).toMatch(/rank [01] is sent as \d float64 \(\d+ bytes?\), but expected as \d/)
    expect(sentBytes).not.toBe(expectedBytes)
  })
})
