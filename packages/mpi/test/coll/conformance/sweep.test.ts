import { local, type Mpi } from '@commworld/mpi'
import { describe, expect, test } from 'vitest'
import { cardsOf } from './algorithms.js'
import { contentNames } from './contents.js'
import { kindNames } from './elements.js'
import type { Length, MemoryCase } from './memory-case.js'
import { runMemory } from './memory-run.js'
import { memoryNames, memoryOperations, type MemoryName } from './operations.js'
import { shapes, type CollectiveName } from './oracle.js'
import { layouts, type PlaceShape } from './place.js'
import { reductionNames, reductions, type ReductionName } from './reductions.js'
import { TIMEOUT_MS } from './runs.js'
import { valueNames, type ValueCase } from './value-case.js'
import { runValues } from './value-run.js'

const sizes = [1, 2, 3, 4, 5, 7, 8, 9, 13, 17]
/** With more ranks than that two of them are roots: the checker of algorithms tries them all. */
const ALL_ROOTS_MAX = 5
const lengths: readonly Length[] = ['p', '1', 'p-1', '0', 'p+1', '2', '2p']

/** Every algorithm, with some radices, one of them larger than a world. */
function allNames(collective: CollectiveName): string[] {
  return cardsOf(collective).flatMap(({ name, radix }) =>
    radix === undefined ? [name] : [2, 3, 64].map((other) => `${name}:${other}`),
  )
}

/** Roots of every algorithm; what else there is to choose takes turns. */
function allCalls(collective: CollectiveName, ranks: number) {
  const all = [...Array(ranks).keys()]
  const { rooted } = shapes[collective]
  return allNames(collective).flatMap((algorithm, which) => {
    const two = rooted ? [(which + ranks) % ranks, ranks - 1] : [0, 1]
    const roots = ranks <= ALL_ROOTS_MAX ? all : two
    return roots.map((root) => ({ algorithm, root, turn: 3 * which + root + ranks }))
  })
}

const turnOf = <T>(turn: number, list: readonly T[]): T => list[turn % list.length]

function memoryCase(
  name: MemoryName,
  { algorithm, root, turn }: ReturnType<typeof allCalls>[number],
): MemoryCase {
  const { collective, listed, inPlace } = memoryOperations[name]
  const typed = turn % 2 === 0
  const place = (by: number): PlaceShape => ({
    layout: typed ? turnOf(by, layouts.slice(3)) : turnOf(by, layouts.slice(0, 3)),
    registered: by % 3 > 0,
    strewn: by % 4,
  })
  const reduction: ReductionName | undefined = shapes[collective].reduces
    ? turnOf(turn, ['affine', 'SUM', 'matrix', ...reductionNames] as const)
    : undefined
  const accepted = kindNames.filter(
    (kind) => reduction === undefined || reductions[reduction].accepts(kind),
  )
  return {
    name,
    algorithm,
    root,
    ...(reduction === undefined ? {} : { reduction }),
    kind: turnOf(turn, accepted),
    item: reduction === undefined ? 1 + (turn % 3) : reductions[reduction].unit,
    lengths: listed ? [0, 1, 2].map((i) => turnOf(turn + i, lengths)) : [turnOf(turn, lengths)],
    inPlace: inPlace !== 'nowhere' && turn % 5 < 2,
    send: [place(turn), place(turn + 1)],
    recv: [place(turn + 2), place(turn + 3), place(turn + 4)],
    form: turn % 3 === 0 ? 'persistent' : 'started',
    finding: ['await'],
    pauses: [0],
    starts: turn % 3 === 0 ? 2 : 1,
    seed: turn,
  }
}

function valueCase(
  name: CollectiveName,
  { algorithm, root, turn }: ReturnType<typeof allCalls>[number],
): ValueCase {
  const reduction = turnOf(turn, [
    ...(['concatenation', 'SUM of numbers', 'chain'] as const),
    ...(['affine maps in arrays', 'MAXLOC of objects'] as const),
  ])
  return {
    name,
    algorithm,
    root,
    contents: [0, 1, 2].map((i) => turnOf(turn + i, contentNames)),
    ...(shapes[name].reduces ? { reduction } : {}),
    form: turn % 3 === 0 ? 'persistent' : 'started',
    finding: ['await'],
    pauses: [0],
    starts: turn % 3 === 0 ? 2 : 1,
    seed: turn,
  }
}

describe('every algorithm at 1 to 17 ranks, from many roots', () => {
  test.each(memoryNames)(
    '%s',
    async (name) => {
      expect.assertions(0)
      for (const ranks of sizes) {
        const calls = allCalls(memoryOperations[name].collective, ranks)
        const cases = calls.map((call) => memoryCase(name, call))
        await local(ranks, async (mpi: Mpi) => {
          for (const one of cases) await runMemory(mpi, one)
        })
      }
    },
    TIMEOUT_MS,
  )

  test.each(valueNames)(
    '%s',
    async (name) => {
      expect.assertions(0)
      for (const ranks of sizes) {
        const cases = allCalls(name, ranks).map((call) => valueCase(name, call))
        await local(ranks, async (mpi: Mpi) => {
          for (const one of cases) await runValues(mpi, one)
        })
      }
    },
    TIMEOUT_MS,
  )
})
