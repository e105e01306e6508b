import {
  ANY_SOURCE,
  ANY_TAG,
  local,
  PROC_NULL,
  RankError,
  TagError,
  type Mpi,
  type SendrecvOptions,
} from '@commworld/mpi'
import { expect, test } from 'vitest'
import { allIsWell, refuses } from './refusal.js'

const notRanks: [unknown, RegExp][] = [
  [3, /rank 3 is outside 0\.\.2 of `world`, which has 3 ranks/],
  [-1, /rank -1 is outside 0\.\.2 of `world`.*PROC_NULL/],
  [0.5, /0\.5 is not a rank.*ranks 0\.\.2/],
  [NaN, /NaN is not a rank/],
  ['1', /'1' is not a rank/],
  [undefined, /is missing.*ranks 0\.\.2/],
  [null, /null is not a rank/],
  [ANY_TAG, /`: ANY_TAG is not a rank/],
]

const notTags: [unknown, RegExp][] = [
  [-1, /must be an integer from 0 to 1073741823, but is -1.*ANY_TAG/],
  [2 ** 30, /from 0 to 1073741823, but is 1073741824/],
  [0.5, /but is 0\.5/],
  [NaN, /but is NaN/],
  ['0', /but is '0'/],
  [ANY_SOURCE, /but is ANY_SOURCE/],
]

/** Every call that takes a destination or a tag to send with. */
function senders({ world }: Mpi): ((options: { dest: never; tag: never }) => unknown)[] {
  const memory = new Int8Array(2)
  const exchanged = ({ dest, tag }: { dest: never; tag: never }): SendrecvOptions => ({
    dest,
    sendTag: tag,
    source: PROC_NULL,
  })
  return [
    (options) => world.isend(1, options),
    (options) => world.issend(1, options),
    (options) => world.ibsend(1, options),
    (options) => world.irsend(1, options),
    (options) => world.sendInit(1, options),
    (options) => world.isendrecv(1, exchanged(options)),
    (options) => world.isendrecvInto(memory, new Int8Array(2), exchanged(options)),
    (options) => world.isendrecvReplace(memory, exchanged(options)),
  ]
}

/** Every call that takes a source or a tag to receive. */
function receivers({ world }: Mpi): ((options: { source: never; tag: never }) => unknown)[] {
  const memory = new Int8Array(2)
  const exchanged = ({ source, tag }: { source: never; tag: never }): SendrecvOptions => ({
    dest: PROC_NULL,
    source,
    recvTag: tag,
  })
  return [
    (options) => world.irecv(options),
    (options) => world.irecvInto(memory, options),
    (options) => world.recvInit(options),
    (options) => world.recvIntoInit(memory, options),
    (options) => world.iprobe(options),
    (options) => world.improbe(options),
    (options) => world.isendrecv(1, exchanged(options)),
    (options) => world.isendrecvInto(new Int8Array(2), memory, exchanged(options)),
    (options) => world.isendrecvReplace(memory, exchanged(options)),
  ]
}

test.each(notRanks)('a rank that is none is refused where it is given: %s', async (rank, says) => {
  await local(3, async (mpi) => {
    const refusal = { is: RankError, code: 'MPI_ERR_RANK', says }
    for (const send of senders(mpi)) {
      refuses(() => send({ dest: rank as never, tag: 0 as never }), refusal)
    }
    for (const receive of receivers(mpi)) {
      refuses(() => receive({ source: rank as never, tag: 0 as never }), refusal)
    }
    await allIsWell(mpi)
  })
})

test('options that are left out are missed where they are needed', async () => {
  await local(2, async (mpi) => {
    const untyped = mpi.world as unknown as Record<string, (...given: unknown[]) => unknown>
    const refusal = { is: RankError, code: 'MPI_ERR_RANK', says: /is missing.*ranks 0\.\.1/ }
    const memory = new Int8Array(2)
    for (const verb of ['isend', 'issend', 'ibsend', 'irsend', 'sendInit', 'isendrecv']) {
      refuses(() => untyped[verb]!(1), refusal)
    }
    for (const verb of ['irecv', 'recvInit', 'iprobe', 'improbe']) {
      refuses(() => untyped[verb]!(), refusal)
    }
    for (const verb of ['irecvInto', 'recvIntoInit', 'isendrecvReplace']) {
      refuses(() => untyped[verb]!(memory), refusal)
    }
    refuses(() => untyped['isendrecvInto']!(memory, new Int8Array(2)), refusal)
    await allIsWell(mpi)
  })
})

test('ANY_SOURCE is no destination', async () => {
  await local(2, async (mpi) => {
    for (const send of senders(mpi)) {
      const refusal = {
        is: RankError,
        code: 'MPI_ERR_RANK',
        says: /`dest`: ANY_SOURCE is not a rank/,
      }
      refuses(() => send({ dest: ANY_SOURCE as never, tag: 0 as never }), refusal)
    }
    await allIsWell(mpi)
  })
})

test.each(notTags)('a tag that is none is refused where it is given: %s', async (tag, says) => {
  await local(2, async (mpi) => {
    const refusal = { is: TagError, code: 'MPI_ERR_TAG', says }
    for (const send of senders(mpi)) {
      refuses(() => send({ dest: 0 as never, tag: tag as never }), refusal)
    }
    for (const receive of receivers(mpi)) {
      refuses(() => receive({ source: 0 as never, tag: tag as never }), refusal)
    }
    await allIsWell(mpi)
  })
})

test('ANY_TAG is no tag to send with', async () => {
  await local(1, async (mpi) => {
    for (const send of senders(mpi)) {
      const refusal = { is: TagError, code: 'MPI_ERR_TAG', says: /but is ANY_TAG/ }
      refuses(() => send({ dest: 0 as never, tag: ANY_TAG as never }), refusal)
    }
    await allIsWell(mpi)
  })
})

test('the limits themselves are ranks and tags', async () => {
  await local(3, async ({ world, attributes }) => {
    const dest = world.size - 1
    const tag = attributes.tagUpperBound
    expect(tag).toBe(2 ** 30 - 1)
    const request = world.isend(world.rank, { dest, tag })
    if (world.rank === dest) {
      for (let source = 0; source < world.size; source++) {
        expect(await world.irecv({ source, tag })).toBe(source)
      }
    }
    await request
  })
})

test('a refused exchange owns no buffer and has sent and posted nothing', async () => {
  await local(2, async (mpi) => {
    const { world, alloc } = mpi
    const peer = 1 - world.rank
    for (const memory of [new Float64Array(8), alloc(Float64Array, 8)]) {
      const wrong = [
        { dest: 7, source: peer },
        { dest: peer, sendTag: -1, source: peer },
      ]
      for (const options of wrong) {
        refuses(() => world.isendrecvInto(Float64Array.of(1), memory, options), {
          is: 'sendTag' in options ? TagError : RankError,
          code: 'sendTag' in options ? 'MPI_ERR_TAG' : 'MPI_ERR_RANK',
          says: /`dest`|`sendTag`/,
        })
      }
      // Not owned any more, so that it can be received into.
      const receive = world.irecvInto(memory, { source: peer, tag: 1 })
      await world.isend(Float64Array.of(world.rank), { dest: peer, tag: 1 })
      expect(await receive).toMatchObject({ source: peer, count: 1 })
      expect(memory[0]).toBe(peer)
    }
    await allIsWell(mpi)
  })
})
