import { BAND, LAND, MAXLOC, MINLOC, SharedThreadError, SUM } from '@commworld/mpi'
import {
  algorithm,
  argument,
  count,
  f64,
  i32,
  never,
  op,
  RANKS,
  root,
  value,
  type Wrong,
} from './wrong.js'
import { blocks, two } from './wrong-memory.js'

export const roots: readonly Wrong[] = [
  ['-1', (world) => world.ibcast(1, { root: -1 }), root(/-1/)],
  ['the number of ranks', (world) => world.igather(1, { root: RANKS }), root(/3/)],
  ['a half', (world) => world.ireduce(1, SUM, { root: 0.5 }), root(/0\.5/)],
  ['not a number', (world) => world.iscatter([1, 2, 3], { root: NaN }), root(/NaN/)],
  ['text', (world) => world.ibcastInto(f64(1), { root: '1' as never }), root(/1/)],
  [
    'beyond 32 bits',
    (world) => world.igatherInto(f64(1), f64(3), { root: 2 ** 32 + 1 }),
    root(/4294967297/),
  ],
  [
    'one where there is none',
    (world) => world.iallreduce(1, SUM, { root: 1 } as never),
    argument(/no root/),
  ],
]

export const reductions: readonly Wrong[] = [
  ['none', (world) => world.iallreduce(1, never), argument(/reduction/)],
  [
    'a name',
    (world) => world.iallreduceInto(f64(1), f64(1), 'SUM' as never),
    argument(/reduction/),
  ],
  ['a function', (world) => world.iscan(1, ((a: number) => a) as never), argument(/Op.create/)],
  ['bits of floats', (world) => world.iallreduceInto(f64(1), f64(1), BAND), op(/float64/)],
  ['bits of a half', (world) => world.iallreduce(0.5, BAND), op(/0\.5/)],
  ['truth of text', (world) => world.iallreduce('yes', LAND), op(/text|string|'yes'|yes/)],
  ['a sum of objects', (world) => world.iallreduce({} as never, SUM), op(/SUM/)],
  ['a sum of a bigint of 65 bits', (world) => world.iallreduce(2n ** 64n, SUM), op(/64 bits/)],
  ['pairs, an odd number', (world) => world.iallreduceInto(i32(3), i32(3), MINLOC), op(/odd/)],
  [
    'pairs in odd blocks',
    (world) => world.ireduceScatterBlockInto(i32(9), i32(3), MAXLOC),
    op(/odd/),
  ],
  ['pairs of a number', (world) => world.iallreduce(1 as never, MAXLOC), op(/value, index/)],
  [
    'one of several that is wrong',
    (world) => world.ireduceScatter([1, 2, 'x'] as never, SUM),
    op(/SUM/),
  ],
]

export const values: readonly Wrong[] = [
  ['too few to scatter', (world) => world.iscatter([1, 2]), argument(/3 values/), 'root'],
  ['none to scatter', (world) => world.iscatter(never), argument(/3 values/), 'root'],
  ['too many for all', (world) => world.ialltoall([1, 2, 3, 4]), argument(/3 values/)],
  ['text for all', (world) => world.ialltoall('abc' as never), argument(/3 values/)],
  ['one for all', (world) => world.ireduceScatter(1 as never, SUM), argument(/3 values/)],
  ['a function', (world) => world.iallgather(() => 1), value(/function/)],
  ['a function inside', (world) => world.ibcast({ run() {} }), value(/run/), 'root'],
  ['a symbol for one of them', (world) => world.ialltoall([1, Symbol('s'), 3]), value(/symbol/i)],
]

export const algorithms: readonly Wrong[] = [
  [
    'that is not there',
    (world) => world.ibcast(1, { algorithm: 'telepathy' }),
    algorithm(/telepathy.*binomial-tree/),
  ],
  ['of another collective', (world) => world.ibcast(1, { algorithm: 'bruck' }), algorithm(/bruck/)],
  [
    'with a radix that it has not',
    (world) => world.ibcast(1, { algorithm: 'linear:2' }),
    algorithm(/no radix/),
  ],
  [
    'with a radix of 1',
    (world) => world.ibcast(1, { algorithm: 'binomial-tree:1' }),
    algorithm(/from 2 to 64/),
  ],
  [
    'with a radix of x',
    (world) => world.ibarrier({ algorithm: 'tree:x' }),
    algorithm(/from 2 to 64/),
  ],
  ['that is no name', (world) => world.ibarrier({ algorithm: 7 as never }), argument(/name/)],
  [
    'that cuts values',
    (world) => world.ibcast(1, { algorithm: 'circulant' }),
    algorithm(/values are whole/),
  ],
  [
    'for even numbers of ranks',
    (world) => world.iallgather(1, { algorithm: 'neighbor-exchange' }),
    algorithm(/3 is odd/),
  ],
  [
    'for powers of two',
    (world) => world.iallgather(1, { algorithm: 'recursive-doubling' }),
    algorithm(/power of two/),
  ],
  [
    'for known lengths',
    (world) => world.igathervInto(f64(2), two, { algorithm: 'binomial-tree' }),
    algorithm(/length of all blocks/),
  ],
  [
    'for equal lengths',
    (world) => world.ialltoallvInto(two, blocks([2, 2, 2]), { algorithm: 'bruck' }),
    algorithm(/differ in length/),
  ],
  ['persistent', (world) => world.bcastInit(1, { algorithm: 'telepathy' }), algorithm(/telepathy/)],
]

export const others: readonly Wrong[] = [
  [
    'a verb that blocks',
    (world) => world.allreduce(1, SUM),
    {
      is: SharedThreadError,
      code: 'MPI_ERR_UNSUPPORTED_OPERATION',
      says: /await world.iallreduce/,
    },
  ],
  [
    'a barrier that blocks',
    (world) => world.barrier(),
    {
      is: SharedThreadError,
      code: 'MPI_ERR_UNSUPPORTED_OPERATION',
      says: /await world.ibarrier\(\)/,
    },
  ],
  ['persistent, with a wrong root', (world) => world.bcastInit(1, { root: 9 }), root(/9/)],
  [
    'persistent, with wrong lengths',
    (world) => world.allreduceIntoInit(f64(1), f64(2), SUM),
    count(/allreduceInto/),
  ],
]
