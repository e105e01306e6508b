import { launch } from '@commworld/mpi'
import { expect, test } from 'vitest'

// Calls in which each rank hears all others are compared by each of them: nobody gets a result, whoever
// comes first and whether he has to wait.
test.each([-1, 0, 1])('two ranks that differ both hear it when rank %i is late', async (late) => {
  const program = new URL('./programs/late.ts', import.meta.url)
  // Of 4,096 calls the first 64 are compared in another way.
  for (const rounds of [100, 5000]) {
    const options = { ranks: 2, args: [`${rounds}`, `${late}`], timeoutMs: 20_000 }
    const said = await launch<string>(program, options)
    expect(said).toEqual(['SUM is not MAX', 'MAX is not SUM'])
  }
})
