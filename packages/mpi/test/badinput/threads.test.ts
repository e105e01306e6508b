import { launch } from '@commworld/mpi'
import { expect, test } from 'vitest'

const program = new URL('./programs/refused.ts', import.meta.url)

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
  const results = await launch<string[]>(program, { ranks: 2, timeoutMs: 20_000, serial })
  expect(results).toEqual([atCall, [...atReceiver, ...atReceiver, ...atCall]])
})
