import {
  algorithmNames,
  coroutines,
  forAllWorlds,
  memoryCalls,
  memoryNames,
  memoryOperations,
  performMemoryCall,
  performValueCall,
  ranks,
  valueCalls,
  valueNames,
  type MemoryCall,
  type ValueCall,
} from '@commworld/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NO_REPEATS, runs, TIMEOUT_MS } from './runs.js'

/** Mostly few, up to 17. */
const sizes = fc.oneof(ranks({ max: 5 }), ranks({ max: 17 }))
/** Calls of a world, one after the other. */
const few = <Call>(call: fc.Arbitrary<Call>): fc.Arbitrary<Call[]> =>
  fc.array(call, { minLength: 1, maxLength: 4 })

describe.each(memoryNames)('%s is what the standard says, on coroutines', (name) => {
  test.each([undefined, ...algorithmNames(memoryOperations[name].collective)])(
    'by %s',
    async (algorithm) => {
      expect.assertions(0)
      const property = forAllWorlds(
        {
          ...NO_REPEATS,
          ranks: sizes,
          data: (size): fc.Arbitrary<MemoryCall[]> =>
            few(memoryCalls(name, { ranks: size, carrier: coroutines, algorithms: [algorithm] })),
        },
        async (mpi, calls) => {
          for (const call of calls) await performMemoryCall(mpi, call)
        },
      )
      await fc.assert(property, runs(3))
    },
    TIMEOUT_MS,
  )
})

describe.each(valueNames)('%s is what the standard says, on coroutines', (name) => {
  test.each([undefined, ...algorithmNames(name)])(
    'by %s',
    async (algorithm) => {
      expect.assertions(0)
      const property = forAllWorlds(
        {
          ...NO_REPEATS,
          ranks: sizes,
          data: (size): fc.Arbitrary<ValueCall[]> =>
            few(valueCalls(name, { ranks: size, carrier: coroutines, algorithms: [algorithm] })),
        },
        async (mpi, calls) => {
          for (const call of calls) await performValueCall(mpi, call)
        },
      )
      await fc.assert(property, runs(3))
    },
    TIMEOUT_MS,
  )
})
