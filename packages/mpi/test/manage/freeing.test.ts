import { CommunicatorError, local, SUM, type Communicator } from '@commworld/mpi'
import { expect, test } from 'vitest'
import { refuses } from '../badinput/refusal.js'

test('what was begun before a communicator was freed completes', async () => {
  for (let seed = 0; seed < 30; seed++) {
    await local(
      3,
      async ({ world }) => {
        const dup = await world.idup()
        const { rank, size } = dup
        const send = dup.isend([rank], { dest: (rank + 1) % size })
        const receive = dup.irecv({ source: (rank + size - 1) % size })
        const sum = dup.iallreduce(rank, SUM)
        const made = dup.isplit({ color: 0 })
        const inner = dup.icreateGroup(dup.group)
        dup.free()
        expect(await receive).toEqual([(rank + size - 1) % size])
        expect(receive.status.source).toBe((rank + size - 1) % size)
        expect(await sum).toBe(3)
        expect(await (await made).iallgather(rank)).toEqual([0, 1, 2])
        expect((await inner)!.size).toBe(3)
        await send
      },
      { seed },
    )
  }
})

const freed = {
  is: CommunicatorError,
  code: 'MPI_ERR_COMM',
  says: /^communicator `dup of world` was freed$/,
}

test('nothing can be begun on a communicator that was freed', async () => {
  await local(2, async ({ world }) => {
    const dup = await world.idup()
    const persistent = dup.sendInit(1, { dest: 0 })
    const collective = dup.barrierInit()
    dup.free()
    const calls: ((one: Communicator) => unknown)[] = [
      (one) => one.isend(1, { dest: 0 }),
      (one) => one.irecv({ source: 0 }),
      (one) => one.iprobe({ source: 0 }),
      (one) => one.ibarrier(),
      (one) => one.iallreduce(1, SUM),
      (one) => one.iallreduceInto(new Int32Array(1), new Int32Array(1), SUM),
      (one) => one.idup(),
      (one) => one.isplit({ color: 0 }),
      (one) => one.isplitType({ type: 'shared' }),
      (one) => one.icreate(world.group),
      (one) => one.icreateGroup(world.group),
      (one) => one.icreateCart({ dims: [2] }),
      (one) => one.free(),
    ]
    for (const call of calls) refuses(() => call(dup), freed)
    refuses(() => persistent.start(), freed)
    refuses(() => collective.start(), freed)
    // What it was can still be asked.
    expect([dup.size, dup.name, dup.compare(world)]).toEqual([2, 'dup of world', 'congruent'])
  })
})

test('world and self cannot be freed', async () => {
  await local(1, ({ world, self }) => {
    const says = /^communicator `(world|self)` is there from the beginning .* cannot be freed$/
    for (const one of [world, self]) {
      refuses(() => one.free(), { is: CommunicatorError, code: 'MPI_ERR_COMM', says })
    }
  })
})

test('using frees a communicator at the end of its block, once', async () => {
  await local(2, async ({ world }) => {
    let held: Communicator
    {
      using dup = await world.idup()
      held = dup
      await dup.ibarrier()
    }
    refuses(() => held.free(), freed)
    {
      using dup = await world.idup()
      dup.free()
    }
  })
})

test('a communicator that is never freed is no mistake', async () => {
  await local(2, async ({ world }) => void (await world.idup()))
})
