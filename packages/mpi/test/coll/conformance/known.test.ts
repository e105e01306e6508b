import { local, type Mpi } from '@commworld/mpi'
import { expect, test } from 'vitest'
import type { MemoryCase } from './memory-case.js'
import { runMemory } from './memory-run.js'
import type { PlaceShape } from './place.js'

const whole: PlaceShape = { layout: 'whole', registered: false, strewn: 0 }
const registered: PlaceShape = { ...whole, registered: true }

const simple: Omit<MemoryCase, 'name'> = {
  kind: 'int32',
  item: 1,
  lengths: ['2'],
  root: 0,
  inPlace: false,
  send: [whole],
  recv: [whole],
  form: 'started',
  finding: ['await'],
  pauses: [0],
  starts: 1,
  seed: 0,
}

/** What was wrong once, by what was wrong. */
const known: readonly [string, number, MemoryCase][] = [
  [
    'an empty block at the beginning of a range',
    4,
    {
      ...simple,
      name: 'allgathervInto',
      algorithm: 'circulant',
      lengths: ['0', '2'],
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

test.each(known)('%s', async (_, ranks, one) => {
  expect.assertions(0)
  await local(ranks, async (mpi: Mpi) => await runMemory(mpi, one))
})
