import {
  Datatype,
  InStatusError,
  local,
  MismatchError,
  TruncateError,
  waitAll,
  type Memory,
  type Mpi,
  type TypedArray,
} from '@commworld/mpi'
import { describe, expect, test } from 'vitest'
import { allIsWell, rejects, refuses } from './refusal.js'

const truncated = (says: RegExp) => ({ is: TruncateError, code: 'MPI_ERR_TRUNCATE', says })
const mismatched = (says: RegExp) => ({ is: MismatchError, code: 'MPI_ERR_TYPE', says })

/** Rank 0 sends `value`, rank 1 receives into `memory` in all ways there are; then all is well. */
async function refusedReceive(
  value: (mpi: Mpi) => unknown,
  memory: (mpi: Mpi) => Memory,
  refusal: Parameters<typeof rejects>[1],
): Promise<void> {
  await local(2, async (mpi) => {
    const { world } = mpi
    if (world.rank === 0) {
      // Posted before and after, and after a matched probe; each send completes all the same.
      for (let i = 0; i < 3; i++) {
        await world.isend(value(mpi), { dest: 1, tag: i })
        await world.issend('next', { dest: 1, tag: i })
      }
    } else {
      const early = world.irecvInto(memory(mpi), { source: 0, tag: 0 })
      await rejects(early, refusal)
      expect(early.status).toMatchObject({ source: 0, tag: 0 })
      expect(await world.irecv({ source: 0, tag: 0 })).toBe('next')
      while (world.iprobe({ source: 0, tag: 1 }) === undefined) await turn()
      await rejects(world.irecvInto(memory(mpi), { source: 0, tag: 1 }), refusal)
      expect(await world.irecv({ source: 0, tag: 1 })).toBe('next')
      let message = world.improbe({ source: 0, tag: 2 })
      while (message === undefined) {
        await turn()
        message = world.improbe({ source: 0, tag: 2 })
      }
      await rejects(message.irecvInto(memory(mpi)), refusal)
      expect(await world.irecv({ source: 0, tag: 2 })).toBe('next')
    }
    await allIsWell(mpi)
  })
}

describe('a message that is too long is an error at its receiver that names both sizes', () => {
  test.each([
    ['eager', 5],
    ['by rendezvous', 5000],
  ])('%s', async (_, elements) => {
    const says = new RegExp(
      `^message of ${elements} float64 \\(${elements * 8} bytes\\) from rank 0 of \`world\` with tag . ` +
        `does not fit into the 4 float64 \\(32 bytes\\)`,
    )
    const kept = Float64Array.of(1, 2, 3, 4)
    await refusedReceive(
      () => new Float64Array(elements).fill(9),
      () => kept,
      truncated(says),
    )
    expect(kept, 'the memory keeps what it held').toEqual(Float64Array.of(1, 2, 3, 4))
  })

  test('from and into registered memory', async () => {
    await refusedReceive(
      ({ alloc }) => alloc(Uint8Array, 100_001),
      ({ alloc }) => alloc(Uint8Array, 100_000),
      truncated(/message of 100001 uint8 .* 100000 uint8/),
    )
  })

  test('through a datatype, by its packed size', async () => {
    const datatype = Datatype.vector({ count: 3, blockLength: 1, stride: 4 })
    await refusedReceive(
      () => Int16Array.of(1, 2, 3, 4),
      () => ({ data: new Int16Array(12), datatype }),
      truncated(/4 int16 \(8 bytes\).* 3 int16 \(6 bytes\)/),
    )
  })

  test('into a part, though the array is longer', async () => {
    await refusedReceive(
      () => Int16Array.of(1, 2, 3, 4),
      () => ({ data: new Int16Array(12), count: 2, offset: 3 }),
      truncated(/4 int16.* 2 int16/),
    )
  })

  test('one failure of many does not spoil the others', async () => {
    await local(2, async (mpi) => {
      const { world } = mpi
      if (world.rank === 0) {
        await Promise.all([1, 9, 2].map((n) => world.isend(new Int8Array(n), { dest: 1 })))
      } else {
        const memories = [2, 2, 2].map((length) => new Int8Array(length))
        const requests = memories.map((memory) => world.irecvInto(memory, { source: 0 }))
        const outcomes = await Promise.allSettled(requests)
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
        refuses(() => waitAll(requests), {
          is: InStatusError,
          code: 'MPI_ERR_IN_STATUS',
          says: /waitAll: 1 of 3 requests failed; request 1: message of 9 int8/,
        })
      }
      await allIsWell(mpi)
    })
  })
})

describe('what was sent must be what is received', () => {
  test.each<[string, string, () => unknown]>([
    ['an object', 'a value', () => ({ a: 1 })],
    ['a text', 'a value', () => 'text'],
    ['undefined', 'a value', () => undefined],
    ['a number', 'a number', () => 1.5],
    ['a bigint', 'a bigint', () => 5n],
    ['a long list', 'a value', () => Array(5000).fill(1)],
  ])('%s is no memory', async (_, carries, value) => {
    const says = new RegExp(`carries ${carries}, but was received into memory of float64.*\`recv\``)
    await refusedReceive(value, () => new Float64Array(9000), mismatched(says))
  })

  test.each<[string, () => TypedArray]>([
    ['float32', () => Float32Array.of(1)],
    ['int32', () => Int32Array.of(1, 2)],
    ['bigint64', () => new BigInt64Array(3000)],
    ['uint8', () => new Uint8Array(0)],
  ])('%s is no float64', async (kind, value) => {
    const memory = new Float64Array(9000)
    const says = new RegExp(`carries ${kind} elements, but was received into memory of float64`)
    await refusedReceive(value, () => memory, mismatched(says))
    expect(memory.every((element) => element === 0)).toBe(true)
  })
})

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}
