import { launch } from '@commworld/mpi'
import { expect, test } from 'vitest'
import { namesOf } from './algorithms.js'
import { TIMEOUT_MS } from './runs.js'

const program = new URL('./programs/helped.ts', import.meta.url)

test.each(
  namesOf('allreduce').filter((name) => !['circulant', 'ring', 'rabenseifner'].includes(name)),
)(
  'a rank that helps in a collective while it waits is no part of a deadlock: %s',
  async (algorithm) => {
    const options = { ranks: 4, args: [algorithm, '400'], timeoutMs: TIMEOUT_MS }
    expect(await launch<number>(program, options)).toEqual([6, 6, 6, 6])
  },
  TIMEOUT_MS,
)
