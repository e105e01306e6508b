import {
  FruitlessPollError,
  local,
  SharedThreadError,
  SUM,
  testAll,
  waitAll,
  waitAny,
  waitSome,
} from '@commworld/mpi'
import { describe, expect, test } from 'vitest'
import { allIsWell, rejects, refuses } from './refusal.js'

const shared = (says: RegExp) => ({
  is: SharedThreadError,
  code: 'MPI_ERR_UNSUPPORTED_OPERATION',
  says,
})

test('a plain verb on a shared thread posts nothing and names the form that works', async () => {
  await local(2, async (mpi) => {
    const { world } = mpi
    const peer = 1 - world.rank
    const memory = new Float64Array(2)
    const both = { dest: peer, source: peer }
    const plain: [string, () => unknown][] = [
      ['send', () => world.send(1, { dest: peer })],
      ['ssend', () => world.ssend(1, { dest: peer })],
      ['bsend', () => world.bsend(1, { dest: peer })],
      ['rsend', () => world.rsend(1, { dest: peer })],
      ['recv', () => world.recv({ source: peer })],
      ['recvInto', () => world.recvInto(memory, { source: peer })],
      ['sendrecv', () => world.sendrecv(1, both)],
      ['sendrecvInto', () => world.sendrecvInto(Float64Array.of(1), memory, both)],
      ['sendrecvReplace', () => world.sendrecvReplace(memory, both)],
      ['probe', () => world.probe({ source: peer })],
      ['mprobe', () => world.mprobe({ source: peer })],
      ['barrier', () => world.barrier()],
      ['allreduce', () => world.allreduce(1, SUM)],
    ]
    for (const [name, call] of plain) {
      const says = `^\`${name}\` would block the thread that the ranks of this world share\\. Use \`.*i${name}\\(`
      refuses(call, shared(new RegExp(says)))
    }
    await allIsWell(mpi)
  })
})

test('waiting on a shared thread throws unless the request is complete', async () => {
  await local(2, async (mpi) => {
    const { world } = mpi
    const peer = 1 - world.rank
    const request = world.irecv<string>({ source: peer, tag: 1 })
    for (const wait of [
      () => request.wait(),
      () => waitAll([request]),
      () => waitAny([request]),
      () => waitSome([request]),
    ]) {
      refuses(wait, shared(/would block the thread.*await the request/))
    }
    await world.isend('here', { dest: peer, tag: 1 })
    expect(await request).toBe('here')
    expect(request.wait()).toBe('here')
    expect(waitAll([request])).toEqual(['here'])
    await allIsWell(mpi)
  })
})

describe('a program that only polls on a shared thread is told so', () => {
  test.each(['test', 'testAll', 'iprobe', 'improbe'] as const)('with %s', async (verb) => {
    const run = local(2, ({ world }) => {
      const source = 1 - world.rank
      const request = world.irecv({ source, tag: 1 })
      const poll = {
        test: () => request.test(),
        testAll: () => testAll([request]),
        iprobe: () => world.iprobe({ source, tag: 2 }) !== undefined,
        improbe: () => world.improbe({ source, tag: 2 }) !== undefined,
      }[verb]
      while (!poll());
    })
    await rejects(run, {
      is: FruitlessPollError,
      code: 'MPI_ERR_OTHER',
      says: /`test or iprobe` said no \d+ times in a row.*share one thread/,
    })
  })

  test('but one that gives others a turn is not', async () => {
    await local(2, async ({ world }) => {
      const peer = 1 - world.rank
      const request = world.irecv({ source: peer })
      if (world.rank === 1) await new Promise((resolve) => setTimeout(resolve, 20))
      const send = world.isend(world.rank, { dest: peer })
      while (!request.test()) await new Promise((resolve) => setImmediate(resolve))
      expect(request.wait()).toBe(peer)
      await send
    })
  })
})
