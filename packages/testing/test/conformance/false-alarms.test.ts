import { algorithmNames, createWorld } from '@commworld/testing'
import { afterAll, expect, test } from 'vitest'

const program = new URL('./programs/helped.ts', import.meta.url)
const world = createWorld({ ranks: 4 })
afterAll(() => world.close())

/** In the others rank 2 needs rank 0 more than once. */
const helping = algorithmNames('allreduce').filter(
  (name) => !['circulant', 'ring', 'rabenseifner'].includes(name),
)

test.each(helping)(
  'a rank that helps in a collective while it waits is no part of a deadlock: %s',
  async (algorithm) => {
    const { values } = await world.run(program, [algorithm, 400])
    expect(values).toEqual([6, 6, 6, 6])
  },
)
