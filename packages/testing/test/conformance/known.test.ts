import { local } from '@commworld/mpi'
import { AT_ONCE, performMemoryCall, type MemoryCall, type PlaceShape } from '@commworld/testing'
import { expect, test } from 'vitest'

const whole: PlaceShape = { layout: 'whole', registered: false, strewn: 0 }
const registered: PlaceShape = { ...whole, registered: true }

const simple: Omit<MemoryCall, 'name'> = {
  ...AT_ONCE,
  kind: 'int32',
  item: 1,
  lengths: [2],
  root: 0,
  inPlace: false,
  send: [whole],
  recv: [whole],
  seed: 0,
}

/** What was wrong once, by what was wrong. */
const known: readonly [string, number, MemoryCall][] = [
  [
    'an empty block at the beginning of a range',
    4,
    {
      ...simple,
      name: 'allgathervInto',
      algorithm: 'circulant',
      lengths: [0, 2],
      recv: [registered],
    },
  ],
  [
    'blocks that interlock without sharing elements',
    2,
    { ...simple, name: 'allgathervInto', item: 2, recv: [{ ...whole, layout: 'columns' }] },
  ],
  [
    'a vector cut although its ranks see it through different datatypes',
    3,
    {
      ...simple,
      name: 'bcastInto',
      algorithm: 'scatter-allgather',
      item: 3,
      recv: [whole, { ...whole, layout: 'packed' }],
    },
  ],
  [
    'an algorithm for ranks that share memory, on a single one',
    1,
    { ...simple, name: 'bcastInto', algorithm: 'direct' },
  ],
  [
    'a reduce-scatter in place of registered memory, not blocking',
    2,
    {
      ...simple,
      name: 'reduceScatterBlockInto',
      reduction: 'SUM',
      inPlace: true,
      recv: [registered],
    },
  ],
]

test.each(known)('%s', async (_, ranks, call) => {
  expect.assertions(0)
  await local(ranks, async (mpi) => await performMemoryCall(mpi, call))
})
