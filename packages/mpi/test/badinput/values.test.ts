import { local, ValueError, type Mpi } from '@commworld/mpi'
import { describe, expect, test } from 'vitest'
import { difference } from '../value/same-graph.js'
import { allIsWell, refuses } from './refusal.js'

describe('a value that cannot travel is refused where it is sent, with its path', () => {
  test.each<[string, unknown, RegExp]>([
    ['a function', () => 1, /^`value` is a function, which cannot travel in a message/],
    ['a symbol', { list: [1, Symbol('s')] }, /^`value\.list\[1\]` is a symbol/],
    ['a promise', [Promise.resolve(1)], /^`value\[0\]` is a promise/],
    ['a method', { run() {} }, /^`value\.run` is .*function/],
    ['a key', { [Symbol('hidden')]: 1 }, /keyed by a symbol/],
    ['a weak map', { deep: { deeper: new WeakMap() } }, /^`value\.deep\.deeper` is a WeakMap/],
  ])('%s', async (_, value, says) => {
    await local(2, async (mpi) => {
      const refusal = { is: ValueError, code: 'MPI_ERR_TYPE', says }
      for (const send of senders(mpi)) refuses(() => send(value), refusal)
      await allIsWell(mpi)
    })
  })

  test('a request, which looks like a promise', async () => {
    await local(1, async (mpi) => {
      const { world } = mpi
      const request = world.irecv({ source: 0 })
      refuses(() => world.isend({ request }, { dest: 0 }), {
        is: ValueError,
        code: 'MPI_ERR_TYPE',
        says: /`value\.request/,
      })
      await Promise.all([world.isend(1, { dest: 0 }), request])
    })
  })
})

test('what can travel loses nothing on the way', async () => {
  const cycle: Record<string, unknown> = {}
  cycle['self'] = [cycle]
  const values: unknown[] = [
    -0,
    [-0, { zero: -0 }],
    // oxlint-disable-next-line no-sparse-arrays -- holes must arrive as holes
    [1, , undefined, , 3],
    new Map<unknown, unknown>([[{ key: 1 }, new Set([NaN, -0])]]),
    new Date(8.64e15),
    2n ** 200n,
    { grid: Float64Array.of(NaN, -0), bytes: new Uint8Array(0), big: BigInt64Array.of(-1n) },
    cycle,
    [cycle, cycle],
    undefined,
    { missing: undefined, nothing: null },
    /a+/gi,
    new RangeError('r', { cause: { a: -0 } }),
  ]
  await local(2, async ({ world }) => {
    for (const value of values) {
      const peer = 1 - world.rank
      const arrived = await world.isendrecv(value, { dest: peer, source: peer })
      expect(difference(arrived, structuredClone(value))).toBeUndefined()
    }
  })
})

/** Every call that takes a value to send. */
function senders({ world }: Mpi): ((value: unknown) => unknown)[] {
  const dest = 0
  return [
    (value) => world.isend(value, { dest }),
    (value) => world.issend(value, { dest }),
    (value) => world.ibsend(value, { dest }),
    (value) => world.irsend(value, { dest }),
    (value) => world.isendrecv(value, { dest, source: 0 }),
    (value) => world.sendInit(value, { dest }).start(),
  ]
}
