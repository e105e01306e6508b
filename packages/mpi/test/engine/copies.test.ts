import { describe, expect, test } from 'vitest'
import type { Mpi } from '../../src/api/mpi.js'
import { Datatype, type Memory } from '../../src/datatype/index.js'
import type { Counters } from '../../src/device/counters.js'
import { StagedCopyError } from '../../src/errors/index.js'
import { runWorld, valuesOf } from './coroutines.js'

const EAGER_LIMIT = 1024

/** Float64s of the eager limit, and one more. */
const SHORT = EAGER_LIMIT / 8
const LONG = SHORT + 1

interface Copies {
  zeroCopies: number
  registeredCopies: number
  stagedCopies: number
  unexpectedCopies: number
}

const NONE: Copies = { zeroCopies: 0, registeredCopies: 0, stagedCopies: 0, unexpectedCopies: 0 }

/** Its messages come behind those sent before; they are empty, so that nothing of them is copied. */
const BY_MESSAGES = { algorithm: 'dissemination' }

/** What one message from rank 0 to rank 1 costs at each of them. */
async function copiesOf(
  send: (mpi: Mpi) => unknown,
  receive: ((mpi: Mpi) => Memory) | 'value',
  options: { unexpected?: boolean; strictZeroCopy?: boolean } = {},
): Promise<{ sender: Copies; receiver: Copies }> {
  const { unexpected = false, strictZeroCopy = false } = options
  const ended = await runWorld(
    2,
    async (mpi) => {
      const { world } = mpi
      if (world.rank === 0) {
        if (!unexpected) await world.ibarrier(BY_MESSAGES)
        const request = world.isend(send(mpi), { dest: 1 })
        if (unexpected) await world.ibarrier(BY_MESSAGES)
        await request
      } else {
        if (unexpected) await world.ibarrier(BY_MESSAGES)
        const memory = receive === 'value' ? undefined : receive(mpi)
        const request =
          memory === undefined ? world.irecv({ source: 0 }) : world.irecvInto(memory, { source: 0 })
        if (!unexpected) await world.ibarrier(BY_MESSAGES)
        await request
      }
    },
    { eagerLimitBytes: EAGER_LIMIT, strictZeroCopy },
  )
  valuesOf(ended)
  const [sender, receiver] = ended.counters.map(copies) as [Copies, Copies]
  return { sender, receiver }
}

function copies(counters: Counters): Copies {
  const { zeroCopies, registeredCopies, stagedCopies, unexpectedCopies } = counters
  return { zeroCopies, registeredCopies, stagedCopies, unexpectedCopies }
}

const plain = (length: number) => () => new Float64Array(length)
const registered =
  (length: number) =>
  ({ alloc }: Mpi) =>
    alloc(Float64Array, length)
const spread = (count: number) => (mpi: Mpi) => ({
  data: registered(2 * count)(mpi),
  datatype: Datatype.vector({ count, blockLength: 1, stride: 2 }),
})

describe('counters tell what was copied', () => {
  test('nothing, from registered into registered memory by rendezvous', async () => {
    for (const unexpected of [false, true]) {
      expect(await copiesOf(registered(LONG), registered(LONG), { unexpected })).toEqual({
        sender: NONE,
        receiver: { ...NONE, zeroCopies: 1 },
      })
    }
  })

  test('once, from registered memory eagerly', async () => {
    const once = { sender: { ...NONE, registeredCopies: 1 }, receiver: NONE }
    expect(await copiesOf(registered(SHORT), registered(SHORT))).toEqual(once)
    expect(await copiesOf(registered(SHORT), plain(SHORT))).toEqual(once)
  })

  test('once more where nobody waits for an eager message', async () => {
    expect(await copiesOf(registered(SHORT), registered(SHORT), { unexpected: true })).toEqual({
      sender: { ...NONE, registeredCopies: 1 },
      receiver: { ...NONE, unexpectedCopies: 1 },
    })
  })

  test('once at each end that is plain memory or scattered', async () => {
    const sender = { ...NONE, stagedCopies: 1 }
    const zero = { ...NONE, zeroCopies: 1 }
    const staged = { ...NONE, stagedCopies: 1 }
    expect(await copiesOf(plain(LONG), registered(LONG))).toEqual({ sender, receiver: zero })
    expect(await copiesOf(plain(LONG), plain(LONG))).toEqual({ sender, receiver: staged })
    expect(await copiesOf(spread(LONG), registered(LONG))).toEqual({ sender, receiver: zero })
    const direct = await copiesOf(registered(LONG), spread(LONG))
    expect(direct).toEqual({ sender: NONE, receiver: staged })
    expect(await copiesOf(plain(SHORT), registered(SHORT))).toEqual({ sender, receiver: NONE })
    expect(await copiesOf(() => ({ a: 1 }), 'value')).toEqual({ sender, receiver: NONE })
  })
})

describe('strictZeroCopy', () => {
  const strict = { strictZeroCopy: true }

  test('lets through what is copied nowhere, and everything that is short', async () => {
    await copiesOf(registered(LONG), registered(LONG), strict)
    await copiesOf(plain(SHORT), plain(SHORT), strict)
    await copiesOf(() => 'short', 'value', strict)
  })

  test('refuses a staged copy above the eager limit where it is sent', async () => {
    const sends = [plain(LONG), spread(LONG), () => 'x'.repeat(2000)]
    for (const send of sends) {
      const error: unknown = await copiesOf(send, 'value', strict).catch(
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(StagedCopyError)
      expect(error).toMatchObject({ code: 'MPI_ERR_BUFFER', limitBytes: EAGER_LIMIT })
      expect(String(error)).toMatch(/isend: \d+ bytes would be copied on the way/)
    }
  })

  test('refuses it where it is received', async () => {
    for (const receive of [plain(LONG), spread(LONG), 'value' as const]) {
      const error: unknown = await copiesOf(registered(LONG), receive, strict).catch(
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(StagedCopyError)
      expect(String(error)).toMatch(/irecv.*1032 bytes would be copied on the way/)
    }
  })
})
