import {
  ANY_SOURCE,
  DeadlockError,
  launch,
  local,
  type LaunchOptions,
  type Mpi,
} from '@commworld/mpi'
import { describe, expect, test } from 'vitest'

interface Stuck {
  readonly ranks: readonly number[]
  /** The report, on one line. */
  readonly report: string
}

/** How a world that gets stuck says so. */
async function stuck(main: (mpi: Mpi) => Promise<unknown>): Promise<Stuck> {
  const error = await local(6, async (mpi) => void (await main(mpi))).catch(
    (thrown: unknown) => thrown,
  )
  return read(error)
}

function read(error: unknown): Stuck {
  expect(error).toBeInstanceOf(DeadlockError)
  const { ranks, message } = error as DeadlockError
  return { ranks, report: message.replaceAll(/\s+/g, ' ') }
}

describe('a deadlock on communicators of a program names ranks of the world', () => {
  test('in a collective', async () => {
    const { ranks, report } = await stuck(async ({ world }) => {
      const half = await world.isplit({ color: world.rank % 2, key: -world.rank })
      if (world.rank !== 4) await half.ibarrier()
    })
    expect(ranks).toEqual([0, 2])
    expect(report).toMatch(/ibarrier\(world\/split 0\).*waits for rank 4 to call ibarrier/)
  })

  test('in receives, from anybody and from one', async () => {
    const { ranks, report } = await stuck(async ({ world }) => {
      const half = await world.isplit({ color: world.rank % 2, key: -world.rank })
      half.name = 'half'
      if (world.rank === 4) await half.irecv({ source: ANY_SOURCE })
      if (world.rank === 2) await half.irecv({ source: 0 })
    })
    expect(ranks).toEqual([2, 4])
    expect(report).toMatch(/irecv\(src 0, tag any, half\)[^]*from rank 4 \(rank 0 of half\)/)
  })

  test('while a communicator is made', async () => {
    const { ranks, report } = await stuck(async ({ world }) => {
      const half = await world.isplit({ color: world.rank % 2 })
      if (world.rank === 2 || world.rank === 4) await half.isplit({ color: 0 })
    })
    expect(ranks).toEqual([2, 4])
    expect(report).toMatch(/isplit\(world\/split 0\).*waits for rank 0 to call isplit/)
  })

  test('in createGroup, which only the members are to call', async () => {
    const { ranks, report } = await stuck(async ({ world }) => {
      if (world.rank === 5) await world.icreateGroup(world.group.incl([3, 5]))
    })
    expect(ranks).toEqual([5])
    expect(report).toMatch(/icreateGroup\(world\).*waits for rank 3 to call icreateGroup/)
  })

  const program = new URL('./programs/stuck.ts', import.meta.url)
  test.each([
    ['collective', {}, [2, 4], /barrier\(even\).*waits for rank 4 to call barrier/],
    ['collective', { serial: true }, [2, 4], /barrier\(even\).*waits for rank 4 to call barrier/],
    ['receive', {}, [2, 4], /recv\(src 1, tag any, even\)[^]*from rank 2 \(rank 1 of even\)/],
    ['split', {}, [1], /split\(odd\).*waits for ranks? [35].* to call split/],
  ] satisfies [string, Partial<LaunchOptions>, number[], RegExp][])(
    'on threads: %s %o',
    async (how, options, ranks, says) => {
      const run = launch(program, { ranks: 6, args: [how], timeoutMs: 20_000, ...options })
      const error = await run.catch((thrown: unknown) => thrown)
      const seen = read(error)
      // Others may not have come so far yet.
      expect(seen.ranks).toEqual(expect.arrayContaining(ranks))
      expect(seen.report).toMatch(says)
    },
  )
})
