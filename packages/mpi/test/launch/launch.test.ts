import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  AbortedError,
  ArgumentError,
  DeadlockError,
  launch,
  MpiError,
  RankError,
  type LaunchOptions,
} from '@commworld/mpi'
import { describe, expect, it } from 'vitest'

const returns = new URL('./programs/returns.ts', import.meta.url)

async function failure(what: string, options: Partial<LaunchOptions> = {}): Promise<unknown> {
  return await launch(returns, { ranks: 2, args: [what], ...options }).then(
    () => expect.unreachable('it resolved'),
    (error: unknown) => error,
  )
}

describe('launch', () => {
  it('resolves with what main returned, by rank', async () => {
    expect(await launch(returns, { ranks: 4, args: ['numbers'] })).toEqual([0, 4, 8, 12])
  })

  it('takes a path and passes arguments', async () => {
    const path = returns.pathname
    expect(await launch(path, { ranks: 1, args: ['a', 'b'] })).toEqual([['a', 'b']])
  })

  it("copies results out of the world's memory", async () => {
    const [, second] = await launch<{ field: Float64Array; part: Float64Array }>(returns, {
      ranks: 2,
      args: ['memory'],
    })
    expect(second).toEqual({
      field: Float64Array.of(1, 1, 1, 1),
      part: Float64Array.of(1, 1),
      map: new Map([[1, new Date(1)]]),
    })
    expect(second!.field.buffer).not.toBeInstanceOf(SharedArrayBuffer)
  })

  it('rejects with the error of the rank that failed, of the same class', async () => {
    const error = await failure('range')
    expect(error).toBeInstanceOf(RankError)
    expect(error).toMatchObject({ code: 'MPI_ERR_RANK' })
    expect((error as Error).stack).toContain('returns.ts:')
  })

  it("keeps fields of a program's own errors", async () => {
    const error = await failure('own-error')
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ message: 'mine', details: { step: 3 } })
  })

  it('rejects with whatever was thrown', async () => {
    expect(await failure('text')).toBe('a text')
  })

  it('rejects a deadlock with its report', async () => {
    const error = await failure('deadlock')
    expect(error).toBeInstanceOf(DeadlockError)
    expect(error).toMatchObject({ ranks: [0, 1] })
    expect((error as Error).message).toMatch(/DL01[^]*recv\(src 1, tag 5, world\)[^]*returns\.ts:/)
  })

  it('rejects when time is over', async () => {
    const error = await failure('forever', { timeoutMs: 700 })
    expect(error).toBeInstanceOf(MpiError)
    expect(error).toMatchObject({ name: 'TimeoutError', timeoutMs: 700 })
  })

  it('rejects when a rank aborts', async () => {
    const error = await failure('abort')
    expect(error).toBeInstanceOf(AbortedError)
    expect(error).toMatchObject({ origin: 1, exitCode: 6 })
  })

  it('rejects when something was left over', async () => {
    expect(await failure('unreceived')).toMatchObject({
      name: 'LeftoverError',
      message: expect.stringMatching(/MS01/),
    })
  })

  it('rejects results that cannot be copied', async () => {
    expect(await failure('function')).toMatchObject({ code: 'MPI_ERR_TYPE' })
  })

  it('ends threads that a timer keeps alive', async () => {
    expect(await launch(returns, { ranks: 2, args: ['timer'] })).toEqual(['returned', 'returned'])
  })

  it('runs several worlds at a time', async () => {
    const worlds = [1, 2, 3].map((ranks) => launch(returns, { ranks, args: ['numbers'] }))
    expect(await Promise.all(worlds)).toEqual([[0], [0, 2], [0, 3, 6]])
  })

  it('leaves neither threads nor files behind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'commworld-test-'))
    const { TMPDIR } = process.env
    process.env.TMPDIR = folder
    await launch(returns, { ranks: 2, args: ['numbers'] })
    await failure('own-error')
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    expect(readdirSync(folder)).toEqual([])
    rmSync(folder, { recursive: true })
    // Ports close a turn of the event loop later.
    await new Promise((resolve) => setTimeout(resolve, 50))
    const alive = process.getActiveResourcesInfo().filter((name) => /Worker|Port/.test(name))
    expect(alive).toEqual([])
  })

  it.each([
    [{ ranks: 0 }, /`ranks` must be an integer from 1 to 1024, but is 0/],
    [{ ranks: 1.5 }, /`ranks`/],
    [{ ranks: 2000 }, /`ranks`/],
    [{ ranks: 2, args: 'x' }, /`args` must be an array of strings/],
    [{ ranks: 2, timeoutMs: -1 }, /`timeoutMs`/],
    [{ ranks: 2, memoryBytes: 10 }, /`memoryBytes`/],
    [{ ranks: 2, seed: 3 }, /`serial` must be true/],
    [{ ranks: 2, rank: 3 }, /`rank`/],
  ])('refuses %j', async (options, message) => {
    const refused = launch(returns, options as LaunchOptions)
    await expect(refused).rejects.toThrow(ArgumentError)
    await expect(launch(returns, options as LaunchOptions)).rejects.toThrow(message)
  })

  it('refuses a program that is not there', async () => {
    await expect(launch('./nowhere.ts', { ranks: 2 })).rejects.toMatchObject({
      code: 'MPI_ERR_SPAWN',
    })
  })
})
