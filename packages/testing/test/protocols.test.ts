import { ANY_SOURCE, ANY_TAG, MismatchError, TruncateError, type Mpi } from '@commworld/mpi'
import { Coverage, forAllWorlds } from '@commworld/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

// What is promised of messages whatever way they take: eagerly, waiting for room, or by rendezvous.

/** Elements around the limits of small worlds: eager to 1024 bytes, pieces of 64 KiB. */
const lengths = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0, 1, 127, 128, 129, 300) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 300 }) },
  { weight: 1, arbitrary: fc.constantFrom(8191, 8192, 8193, 20_000) },
)

/** Elements that say which message they are of, and which of its elements. */
function filled(number: number, length: number): Float64Array {
  return Float64Array.from({ length }, (_, index) => number * 100_000 + index)
}

/** Fails unless these are the elements of that message. */
function expectFilled(target: Float64Array, number: number): void {
  const wrong = target.findIndex((value, index) => value !== number * 100_000 + index)
  if (wrong >= 0) expect.fail(`element ${wrong} of message ${number} is ${target[wrong]}`)
}

describe('messages of one sender', () => {
  test('arrive whole and in order, however many wait for room', async () => {
    const coverage = new Coverage()
    const property = forAllWorlds(
      {
        ranks: { min: 2, max: 4 },
        data: fc.record({
          sizes: fc.array(lengths, { maxLength: 30 }),
          registered: fc.boolean(),
          late: fc.boolean(),
        }),
        coverage,
      },
      async ({ world, alloc }, { sizes, registered, late }) => {
        const { rank, size } = world
        const array = (length: number): Float64Array =>
          registered ? alloc(Float64Array, length) : new Float64Array(length)
        const next = (rank + 1) % size
        const sends = sizes.map((length, number) => {
          const data = array(length)
          data.set(filled(number, length))
          return world.isend(data, { dest: next, tag: number % 3 })
        })
        // Late: all of them have come, as far as they do, before the first is received.
        if (late) await world.ibarrier()
        for (const [number, length] of sizes.entries()) {
          const target = array(length)
          const source = number % 2 === 0 ? ANY_SOURCE : (rank + size - 1) % size
          const status = await world.irecvInto(target, { source, tag: number % 3 })
          expect(status).toMatchObject({ tag: number % 3, bytes: length * 8 })
          expectFilled(target, number)
        }
        for (const send of sends) await send
      },
    )
    await fc.assert(property, { numRuns: 60 })
    coverage.demand('several ranks', 'wildcard')
  })

  test('may be sent from one array again as soon as they are complete', async () => {
    const property = forAllWorlds(
      { ranks: 2, data: fc.array(lengths, { maxLength: 12 }) },
      async ({ world, alloc }, sizes) => {
        const data = alloc(Float64Array, 20_000)
        for (const [number, length] of sizes.entries()) {
          if (world.rank === 0) {
            const part = data.subarray(0, length)
            part.set(filled(number, length))
            await world.isend(part, { dest: 1 })
            part.fill(-1)
          } else {
            const target = new Float64Array(length)
            await world.irecvInto(target, { source: 0 })
            expectFilled(target, number)
          }
        }
      },
    )
    await fc.assert(property, { numRuns: 20 })
  })
})

test('a sender runs ahead of its receiver by the credit, not further', async () => {
  const property = forAllWorlds(
    {
      ranks: 2,
      data: fc.integer({ min: 64, max: 128 }),
      eagerLimitBytes: 1024,
      schedule: 'first come',
    },
    async ({ world }, length) => {
      if (world.rank === 1) {
        await world.irecv({ source: 0, tag: 1 })
        for (let number = 0; number < 100; number++) {
          const target = new Float64Array(length)
          await world.irecvInto(target, { source: 0, tag: 0 })
          expectFilled(target, number)
        }
        return
      }
      const sends = Array.from({ length: 100 }, (_, number) =>
        world.isend(filled(number, length), { dest: 1, tag: 0 }),
      )
      // So many bytes as may be under way have been taken off this rank's hands, and no more.
      const complete = sends.filter((send) => send.test()).length
      expect(complete * length * 8).toBeLessThanOrEqual(16 * 1024)
      expect(complete).toBeGreaterThan(8)
      await world.isend('go', { dest: 1, tag: 1 })
      for (const send of sends) await send
    },
  )
  await fc.assert(property, { numRuns: 20 })
})

describe('modes of sends', () => {
  const data = fc.record({ length: lengths, late: fc.nat(5) })

  test('a synchronous send is complete after its receive has begun', async () => {
    const property = forAllWorlds({ ranks: 2, data }, async ({ world }, { length, late }) => {
      if (world.rank === 0) {
        const send = world.issend(filled(1, length), { dest: 1 })
        for (let i = 0; i < late; i++) {
          await world.irecv({ source: 1, tag: 7 })
          expect(send.test()).toBe(false)
        }
        await world.isend('begin', { dest: 1, tag: 8 })
        await send
      } else {
        for (let i = 0; i < late; i++) await world.isend('look', { dest: 0, tag: 7 })
        await world.irecv({ source: 0, tag: 8 })
        await world.irecvInto(new Float64Array(length), { source: 0 })
      }
    })
    await fc.assert(property, { numRuns: 40 })
  })

  test('a buffered send is complete at once, and has taken its array', async () => {
    const property = forAllWorlds({ ranks: 2, data }, async (mpi: Mpi, { length, late }) => {
      const { world, alloc } = mpi
      if (world.rank === 0) {
        mpi.attachBuffer(2 ** 20)
        const array = alloc(Float64Array, length)
        for (let number = 0; number <= late; number++) {
          array.set(filled(number, length))
          await world.ibsend(array, { dest: 1 })
          array.fill(-1)
        }
        await world.isend('begin', { dest: 1, tag: 8 })
      } else {
        await world.irecv({ source: 0, tag: 8 })
        for (let number = 0; number <= late; number++) {
          const target = new Float64Array(length)
          await world.irecvInto(target, { source: 0 })
          expectFilled(target, number)
        }
      }
      await world.ibarrier()
    })
    await fc.assert(property, { numRuns: 40 })
  })
})

describe('a receive that does not fit', () => {
  const early = fc.boolean()

  test('is refused when the message is longer, and the sender is none the worse', async () => {
    const property = forAllWorlds(
      { ranks: 2, data: fc.record({ length: lengths, early }) },
      async ({ world }, { length, early: first }) => {
        if (world.rank === 0) {
          if (first) await world.ibarrier()
          await world.isend(filled(1, length + 1), { dest: 1 })
        } else {
          const target = new Float64Array(length)
          const receive = world.irecvInto(target, { source: 0 })
          if (first) await world.ibarrier()
          await expect(Promise.resolve(receive)).rejects.toThrow(TruncateError)
          expect(target).toEqual(new Float64Array(length))
        }
        if (!first) await world.ibarrier()
      },
    )
    await fc.assert(property, { numRuns: 40 })
  })

  test('is refused when elements are of another kind', async () => {
    const property = forAllWorlds(
      { ranks: 2, data: fc.record({ length: lengths, early }) },
      async ({ world }, { length, early: first }) => {
        if (world.rank === 0) {
          if (first) await world.ibarrier()
          await world.isend(new Float64Array(length + 1), { dest: 1 })
        } else {
          const receive = world.irecvInto(new Int32Array(2 * length + 2), { source: 0 })
          if (first) await world.ibarrier()
          await expect(Promise.resolve(receive)).rejects.toThrow(MismatchError)
        }
        if (!first) await world.ibarrier()
      },
    )
    await fc.assert(property, { numRuns: 20 })
  })
})

test('a cancelled receive takes no message, and one that has its message is not cancelled', async () => {
  const property = forAllWorlds(
    { ranks: 2, data: fc.record({ length: lengths, before: fc.boolean() }) },
    async ({ world }, { length, before }) => {
      if (world.rank === 0) {
        if (before) await world.irecv({ source: 1, tag: 9 })
        await world.isend(filled(1, length), { dest: 1, tag: 3 })
        if (!before) await world.isend('sent', { dest: 1, tag: 9 })
        return
      }
      const target = new Float64Array(length)
      const receive = world.irecvInto(target, { source: 0, tag: ANY_TAG })
      if (!before) {
        // The message has come before what was sent after it.
        await world.irecv({ source: 0, tag: 9 })
        receive.cancel()
        await receive
        expect(receive.status.cancelled).toBe(false)
        expectFilled(target, 1)
        return
      }
      receive.cancel()
      await receive
      expect(receive.status.cancelled).toBe(true)
      await world.isend('send', { dest: 0, tag: 9 })
      await world.irecvInto(target, { source: 0, tag: 3 })
      expectFilled(target, 1)
    },
  )
  await fc.assert(property, { numRuns: 40 })
})
