import {
  ArgumentError,
  local,
  RequestError,
  startAll,
  testAll,
  testAny,
  testSome,
  waitAll,
  waitAny,
  waitSome,
  type Mpi,
  type Request,
} from '@commworld/mpi'
import { expect, test } from 'vitest'
import { allIsWell, refuses, rejects } from './refusal.js'

const refused = (says: RegExp) => ({ is: RequestError, code: 'MPI_ERR_REQUEST', says })

/** Everything that takes several requests. */
const plural = { testAll, testAny, testSome, waitAll, waitAny, waitSome }

/** A request that is complete and one that is freed, both to this rank itself. */
async function freed({ world }: Mpi): Promise<Request<unknown>[]> {
  const dest = world.rank
  const requests = [world.irecv({ source: dest, tag: 4 }), world.isend(1, { dest, tag: 4 })]
  for (const request of requests) request.free()
  // Let go of, they complete all the same.
  const after = world.irecv({ source: dest, tag: 4 })
  await world.isend(2, { dest, tag: 4 })
  expect(await after).toBe(2)
  return requests
}

test('a freed request cannot be used', async () => {
  await local(2, async (mpi) => {
    for (const request of await freed(mpi)) {
      refuses(() => request.wait(), refused(/^wait: the request was freed$/))
      refuses(() => request.test(), refused(/^test: the request was freed$/))
      refuses(() => request.free(), refused(/^free: the request was freed$/))
      refuses(() => request.cancel(), refused(/^cancel.*the request was freed$/))
      await rejects(Promise.resolve(request), refused(/^await: the request was freed$/))
      for (const [name, use] of Object.entries(plural)) {
        const good = mpi.world.isend(0, { dest: mpi.world.rank, tag: 5 })
        refuses(() => use([good, request]), refused(new RegExp(`^${name}: request 1 was freed`)))
        await Promise.all([good, mpi.world.irecv({ source: mpi.world.rank, tag: 5 })])
      }
    }
    await allIsWell(mpi)
  })
})

test('what is no request cannot be waited for', async () => {
  await local(1, async (mpi) => {
    const good = mpi.world.isend(0, { dest: 0 })
    for (const stranger of [Promise.resolve(1), undefined, {}, mpi.world.recvInit({ source: 0 })]) {
      for (const [name, use] of Object.entries(plural)) {
        const says = new RegExp(`^${name}: request 1 is not a request of this rank`)
        refuses(() => use([good, stranger as never]), refused(says))
      }
    }
    await Promise.all([good, mpi.world.irecv({ source: 0 })])
    await allIsWell(mpi)
  })
})

test('what is no list of requests is refused by name', async () => {
  await local(1, async (mpi) => {
    const one = mpi.world.isend(0, { dest: 0 })
    const says = /^`requests` must be an array of requests, but is /
    for (const use of [...Object.values(plural), startAll]) {
      for (const seen of [undefined, one, new Set([one])]) {
        refuses(() => use(seen as never), { is: ArgumentError, code: 'MPI_ERR_ARG', says })
      }
    }
    await Promise.all([one, mpi.world.irecv({ source: 0 })])
    await allIsWell(mpi)
  })
})

test('a request of another rank cannot be waited for with those of this one', async () => {
  const lent: Request<unknown>[] = []
  await local(2, async (mpi) => {
    const { world } = mpi
    lent[world.rank] = world.irecv({ source: world.rank, tag: 3 })
    await world.ibarrier()
    if (world.rank === 0) {
      for (const [name, use] of Object.entries(plural)) {
        const says = new RegExp(`^${name}: request 1 is not a request of this rank`)
        refuses(() => use(lent), refused(says))
      }
    }
    await world.ibarrier()
    await Promise.all([world.isend(1, { dest: world.rank, tag: 3 }), lent[world.rank]])
    await allIsWell(mpi)
  })
})

test('a send cannot be cancelled', async () => {
  await local(1, async (mpi) => {
    const request = mpi.world.issend(1, { dest: 0 })
    refuses(() => request.cancel(), refused(/cancel of a send/))
    expect(await mpi.world.irecv({ source: 0 })).toBe(1)
    await request
  })
})

test('a persistent request is started once at a time, and not after free', async () => {
  await local(1, async (mpi) => {
    const { world } = mpi
    const send = world.ssendInit([1], { dest: 0 })
    const started = send.start()
    refuses(() => send.start(), refused(/start of ssendInit: the request is still active/))
    refuses(() => startAll([send]), refused(/start of ssendInit: the request is still active/))
    expect(await world.irecv({ source: 0 })).toEqual([1])
    await started
    send.free()
    refuses(() => send.start(), refused(/start of ssendInit: the request was freed/))
    refuses(() => send.free(), refused(/free of ssendInit: the request was freed/))
    refuses(
      () => startAll([world.irecv({ source: 0 }) as never]),
      refused(/startAll: request 0 is not persistent/),
    )
    await world.isend(0, { dest: 0 })
  }).catch((error: unknown) => {
    // The receive that was no persistent request is still reported.
    expect(error).toMatchObject({ name: 'LeftoverError' })
  })
})

test('a matched message is received once, and a receive that is refused leaves it', async () => {
  await local(2, async (mpi) => {
    const { world } = mpi
    if (world.rank === 0) {
      await Promise.all([
        world.isend(Float64Array.of(1, 2), { dest: 1 }),
        world.isend(new Float64Array(9000).fill(4), { dest: 1 }),
      ])
    } else {
      for (const expected of [Float64Array.of(1, 2), new Float64Array(9000).fill(4)]) {
        let message = world.improbe({ source: 0 })
        while (message === undefined) {
          await new Promise((resolve) => setImmediate(resolve))
          message = world.improbe({ source: 0 })
        }
        const { irecvInto, recv } = {
          irecvInto: message.irecvInto.bind(message),
          recv: message.recv.bind(message),
        }
        expect(() => irecvInto([] as never)).toThrow(/typed array/)
        expect(recv).toThrow(/await message\.irecv/)
        expect(await message.irecv()).toEqual(expected)
        const says = /of a matched message: the request was freed/
        refuses(() => irecvInto(expected), refused(says))
        refuses(recv, refused(says))
      }
    }
    await allIsWell(mpi)
  })
})
