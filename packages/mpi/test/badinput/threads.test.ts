import { launch } from '@commworld/mpi'
import { expect, test } from 'vitest'

const program = (name: string): URL => new URL(`./programs/${name}.ts`, import.meta.url)

const atReceiver = [
  'TruncateError MPI_ERR_TRUNCATE',
  'MismatchError MPI_ERR_TYPE',
  'MismatchError MPI_ERR_TYPE',
]
const atCall = [
  'RankError MPI_ERR_RANK',
  'RankError MPI_ERR_RANK',
  'TagError MPI_ERR_TAG',
  'ValueError MPI_ERR_TYPE',
  'BufferSpaceError MPI_ERR_BUFFER',
  'BufferError MPI_ERR_BUFFER',
  'OverlapError MPI_ERR_BUFFER',
  'MemoryUseError MPI_ERR_BASE',
  'MemoryUseError MPI_ERR_BASE',
]

test.each([false, true])('plain verbs refuse and lose nothing; serial: %s', async (serial) => {
  const results = await launch<string[]>(program('refused'), {
    ranks: 2,
    timeoutMs: 20_000,
    serial,
  })
  expect(results).toEqual([atCall, [...atReceiver, ...atReceiver, ...atCall]])
})

test('short messages go on when registered memory is used up', async () => {
  const options = { ranks: 2, timeoutMs: 20_000, memoryBytes: 32 * 2 ** 20 }
  expect(await launch<number>(program('full'), options)).toEqual([200, 200])
})
