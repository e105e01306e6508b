import {
  DeadlockError,
  LeftoverError,
  local,
  Op,
  type CollectiveName,
  type Mpi,
} from '@commworld/mpi'
import { algorithmNames, collectiveShapes, serves, valueNames } from '@commworld/testing'
import { describe, expect, test } from 'vitest'

const collectives = valueNames.filter((name) => collectiveShapes[name].reduces)

class Thrown extends Error {}

const RANKS = 10

/** A reduction that throws at one of the times it is called, counted over all ranks. */
function throwing(at: number): Op {
  let times = 0
  const combine = (lower: unknown, higher: unknown): unknown => {
    if (times++ === at) throw new Thrown('no')
    return typeof lower === 'number' ? lower + (higher as number) : undefined
  }
  return Op.create(combine, { name: 'throwing', commutative: true })
}

type Methods = Record<string, (...parameters: unknown[]) => PromiseLike<unknown>>

function call(
  { world }: Mpi,
  name: CollectiveName,
  algorithm: string,
  family: string,
  op: Op,
): PromiseLike<unknown> {
  const methods = world as unknown as Methods
  const each = collectiveShapes[name].givesEach ? world.size : 1
  if (family === 'values') {
    const given = each > 1 ? Array(each).fill(1) : 1
    return methods[`i${name}`](given, op, { algorithm })
  }
  const verb = each > 1 ? 'ireduceScatterBlockInto' : `i${name}Into`
  // Too long for a slot, and for an eager message.
  return methods[verb](new Float64Array(each * 200), new Float64Array(200), op, { algorithm })
}

/** Each algorithm, with values where it carries them; those that read much of others' with memory as well. */
const usable = collectives.flatMap((name) =>
  algorithmNames(name).flatMap((algorithm) => {
    const carries = serves(name, algorithm, { size: RANKS })
    const reads = algorithm === 'direct' || algorithm === 'linear'
    const families = carries ? ['values', ...(reads ? ['memory'] : [])] : ['memory']
    return families.map((family) => ({ name, algorithm, family }))
  }),
)

describe.each(usable)(
  'a reduction that throws in $name of $family by $algorithm',
  ({ name, algorithm, family }) => {
    test('ends the job with what it threw', async () => {
      const run = local(RANKS, async (mpi) => {
        await call(mpi, name, algorithm, family, throwing(0))
      })
      await expect(run).rejects.toThrow(Thrown)
    })

    test('is an error at its rank, and nobody hangs in silence', async () => {
      const op = throwing(2)
      const run = local(RANKS, async (mpi) => {
        try {
          await call(mpi, name, algorithm, family, op)
          return 'went on'
        } catch (error) {
          return (error as Error).constructor.name
        }
      })
      const outcome = await run.catch((error: unknown) => error)
      // Those who need nothing of the rank that failed go on; the others are told of.
      if (Array.isArray(outcome)) {
        expect(outcome.filter((one) => one !== 'went on')).toEqual(['Thrown'])
      } else expect([DeadlockError, LeftoverError]).toContain((outcome as Error).constructor)
    })
  },
)

test('a rank that fails takes nothing away that others still read', async () => {
  for (let at = 0; at < 8; at++) {
    const op = throwing(at)
    const outcomes = await local(RANKS, async (mpi) => {
      try {
        await call(mpi, 'reduceScatter', 'linear', 'memory', op)
        return 'went on'
      } catch (error) {
        return (error as Error).constructor.name
      }
    })
    expect(outcomes.filter((one) => one !== 'went on')).toEqual(['Thrown'])
  }
})
