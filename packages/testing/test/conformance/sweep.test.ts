import { local, type CollectiveName } from '@commworld/mpi'
import {
  AT_ONCE,
  cardsOf,
  collectiveShapes,
  contentNames,
  elementReductionNames,
  elementReductions,
  kindNames,
  memoryNames,
  memoryOperations,
  performMemoryCall,
  performValueCall,
  typedLayouts,
  untypedLayouts,
  valueNames,
  type ElementReductionName,
  type MemoryCall,
  type MemoryName,
  type PlaceShape,
  type Timing,
  type ValueCall,
} from '@commworld/testing'
import { describe, expect, test } from 'vitest'
import { TIMEOUT_MS } from './runs.js'

const sizes = [1, 2, 3, 4, 5, 7, 8, 9, 13, 17, 33]
/** With more ranks than that two of them are roots, or one: the checker of algorithms tries them all. */
const ALL_ROOTS_MAX = 5
const TWO_ROOTS_MAX = 17

/** Every algorithm, with some radices, one of them larger than a world. */
function allNames(collective: CollectiveName): string[] {
  return cardsOf(collective).flatMap(({ name, radix }) =>
    radix === undefined ? [name] : [2, 3, 64].map((other) => `${name}:${other}`),
  )
}

/** Roots of every algorithm; what else there is to choose takes turns. */
function allCalls(collective: CollectiveName, ranks: number) {
  const all = [...Array(ranks).keys()]
  const { rooted } = collectiveShapes[collective]
  return allNames(collective).flatMap((algorithm, which) => {
    const two = rooted ? [(which + ranks) % ranks, ranks - 1] : [0, 1]
    const few = ranks <= TWO_ROOTS_MAX ? two : two.slice(1)
    const roots = ranks <= ALL_ROOTS_MAX ? all : few
    return roots.map((root) => ({ algorithm, root, turn: 3 * which + root + ranks }))
  })
}

const turnOf = <T>(turn: number, list: readonly T[]): T => list[turn % list.length]

const timingOf = (turn: number): Timing =>
  turn % 3 === 0 ? { ...AT_ONCE, form: 'persistent', starts: 2 } : AT_ONCE

function memoryCall(
  name: MemoryName,
  ranks: number,
  { algorithm, root, turn }: ReturnType<typeof allCalls>[number],
): MemoryCall {
  const { collective, listed, inPlace } = memoryOperations[name]
  const typed = turn % 2 === 0
  const lengths = [ranks, 1, ranks - 1, 0, ranks + 1, 2, 2 * ranks]
  const place = (by: number): PlaceShape => ({
    layout: turnOf(by, typed ? typedLayouts : untypedLayouts),
    registered: by % 3 > 0,
    strewn: by % 4,
  })
  const reduction: ElementReductionName | undefined = collectiveShapes[collective].reduces
    ? turnOf(turn, ['affine', 'SUM', 'matrix', ...elementReductionNames] as const)
    : undefined
  const accepted = kindNames.filter(
    (kind) => reduction === undefined || elementReductions[reduction].accepts(kind),
  )
  return {
    name,
    algorithm,
    root,
    ...(reduction === undefined ? {} : { reduction }),
    kind: turnOf(turn, accepted),
    item: reduction === undefined ? 1 + (turn % 3) : elementReductions[reduction].unit,
    lengths: listed ? [0, 1, 2].map((i) => turnOf(turn + i, lengths)) : [turnOf(turn, lengths)],
    inPlace: inPlace !== 'nowhere' && turn % 5 < 2,
    send: [place(turn), place(turn + 1)],
    recv: [place(turn + 2), place(turn + 3), place(turn + 4)],
    ...timingOf(turn),
    seed: turn,
  }
}

function valueCall(
  name: CollectiveName,
  { algorithm, root, turn }: ReturnType<typeof allCalls>[number],
): ValueCall {
  const reduction = turnOf(turn, [
    ...(['text after text', 'SUM of numbers', 'chain'] as const),
    ...(['affine maps in arrays', 'MAXLOC of objects'] as const),
  ])
  return {
    name,
    algorithm,
    root,
    contents: [0, 1, 2].map((i) => turnOf(turn + i, contentNames)),
    ...(collectiveShapes[name].reduces ? { reduction } : {}),
    ...timingOf(turn),
    seed: turn,
  }
}

describe('every algorithm at 1 to 17 ranks and at 33, from many roots', () => {
  test.each(memoryNames)(
    '%s',
    async (name) => {
      expect.assertions(0)
      for (const ranks of sizes) {
        const all = allCalls(memoryOperations[name].collective, ranks)
        const calls = all.map((one) => memoryCall(name, ranks, one))
        await local(ranks, async (mpi) => {
          for (const call of calls) await performMemoryCall(mpi, call)
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
        const calls = allCalls(name, ranks).map((one) => valueCall(name, one))
        await local(ranks, async (mpi) => {
          for (const call of calls) await performValueCall(mpi, call)
        })
      }
    },
    TIMEOUT_MS,
  )
})
