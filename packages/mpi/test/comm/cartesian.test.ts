import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CartesianGrid } from '../../src/comm/cartesian.js'
import { ArgumentError, DimsError, RankError } from '../../src/errors/index.js'

interface Shape {
  readonly dims: number[]
  readonly periods: boolean[]
}

const shapes = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.boolean()), { maxLength: 4 })
  .map((list): Shape => ({ dims: list.map(([n]) => n), periods: list.map(([, p]) => p) }))

/** Coordinates by rank: all there are, counted up like the digits of an odometer. */
function walk(dims: readonly number[]): number[][] {
  const all: number[][] = []
  const at = dims.map(() => 0)
  for (;;) {
    all.push([...at])
    let dimension = dims.length - 1
    while (dimension >= 0 && at[dimension] === dims[dimension]! - 1) at[dimension--] = 0
    if (dimension < 0) return all
    at[dimension]!++
  }
}

function rankIn(all: readonly number[][], coords: readonly number[]): number | undefined {
  const rank = all.findIndex((place) => place.join() === coords.join())
  return rank === -1 ? undefined : rank
}

/** Where one comes to who goes one step after the other; nowhere, once the grid has ended. */
function step({ dims, periods }: Shape, from: number[], along: number, steps: number): number[] {
  const at = [...from]
  for (let i = 0; i < Math.abs(steps); i++) {
    at[along]! += Math.sign(steps)
    if (periods[along] && at[along] === dims[along]) at[along] = 0
    if (periods[along] && at[along] === -1) at[along] = dims[along]! - 1
  }
  return at
}

test('CartesianGrid numbers ranks in row-major order', () => {
  fc.assert(
    fc.property(shapes, ({ dims, periods }) => {
      const grid = new CartesianGrid(dims, periods)
      const all = walk(dims)
      expect(grid.size).toBe(all.length)
      expect(all.map((_, rank) => grid.coordsOf(rank, 'cart'))).toEqual(all)
      expect(all.map((coords) => grid.rankAt(coords))).toEqual(all.map((_, rank) => rank))
    }),
  )
})

test('CartesianGrid.rankAt wraps periodic coordinates and refuses others', () => {
  const steps = fc.integer({ min: -9, max: 9 })
  fc.assert(
    fc.property(
      shapes,
      fc.array(steps, { minLength: 4, maxLength: 4 }),
      ({ dims, periods }, far) => {
        const grid = new CartesianGrid(dims, periods)
        const coords = far.slice(0, dims.length)
        const all = walk(dims)
        const origin = dims.map(() => 0)
        const landed = coords.map(
          (distance, along) => step({ dims, periods }, origin, along, distance)[along]!,
        )
        const rank = rankIn(all, landed)
        if (rank === undefined) expect(() => grid.rankAt(coords)).toThrow(ArgumentError)
        else expect(grid.rankAt(coords)).toBe(rank)
      },
    ),
    { numRuns: 500 },
  )
})

test('CartesianGrid.shift goes as many steps as are asked for, or off the grid', () => {
  fc.assert(
    fc.property(shapes, fc.nat(), fc.integer({ min: -9, max: 9 }), (shape, pick, displacement) => {
      fc.pre(shape.dims.length > 0)
      const dimension = pick % shape.dims.length
      const grid = new CartesianGrid(shape.dims, shape.periods)
      const all = walk(shape.dims)
      const shifts = all.map((_, rank) => grid.shift(rank, dimension, displacement))
      for (const [rank, { source, dest }] of shifts.entries()) {
        expect(dest).toBe(rankIn(all, step(shape, all[rank]!, dimension, displacement)))
        expect(source).toBe(rankIn(all, step(shape, all[rank]!, dimension, -displacement)))
        // Both ends agree on every message.
        if (dest !== undefined) expect(shifts[dest]!.source).toBe(rank)
        if (source !== undefined) expect(shifts[source]!.dest).toBe(rank)
      }
    }),
    { numRuns: 500 },
  )
})

test('CartesianGrid.sub makes one grid for each combination of the other coordinates', () => {
  const choices = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(shapes, choices, ({ dims, periods }, flags) => {
      const grid = new CartesianGrid(dims, periods)
      const keep = flags.slice(0, dims.length)
      const all = walk(dims)
      const parts = new Map<string, number[]>()
      for (const [rank, coords] of all.entries()) {
        const others = coords.filter((_, i) => !keep[i]).join()
        parts.set(others, [...(parts.get(others) ?? []), rank])
      }
      const colors = new Set<number>()
      for (const ranks of parts.values()) {
        const subs = ranks.map((rank) => grid.sub(rank, keep))
        expect(new Set(subs.map(({ color }) => color)).size).toBe(1)
        colors.add(subs[0]!.color)
        expect(subs.map(({ key }) => key)).toEqual(ranks.map((_, key) => key))
        for (const [key, { grid: sub }] of subs.entries()) {
          expect(sub.dims).toEqual(dims.filter((_, i) => keep[i]))
          expect(sub.periods).toEqual(periods.filter((_, i) => keep[i]))
          expect(sub.size).toBe(ranks.length)
          expect(sub.coordsOf(key, 'sub')).toEqual(all[ranks[key]!]!.filter((_, i) => keep[i]))
        }
      }
      expect(colors.size).toBe(parts.size)
    }),
  )
})

test('CartesianGrid of one and of two ranks along a periodic dimension has itself and one neighbour twice', () => {
  const one = new CartesianGrid([1], [true])
  expect(one.shift(0, 0, 1)).toEqual({ source: 0, dest: 0 })
  expect(one.shift(0, 0, -7)).toEqual({ source: 0, dest: 0 })
  const two = new CartesianGrid([2], [true])
  expect(two.shift(0, 0, 1)).toEqual({ source: 1, dest: 1 })
  expect(two.shift(1, 0, -1)).toEqual({ source: 0, dest: 0 })
  expect(two.shift(1, 0, 2)).toEqual({ source: 1, dest: 1 })
  const open = new CartesianGrid([1])
  expect(open.shift(0, 0, 1)).toEqual({ source: undefined, dest: undefined })
  expect(open.shift(0, 0, 0)).toEqual({ source: 0, dest: 0 })
})

test('CartesianGrid.shift stays exact for displacements far beyond the grid', () => {
  const grid = new CartesianGrid([3], [true])
  const far = Number.MAX_SAFE_INTEGER // 3 k + 1
  expect(far % 3).toBe(1)
  expect(grid.shift(2, 0, far)).toEqual({ source: 1, dest: 0 })
  expect(grid.shift(2, 0, -far)).toEqual({ source: 0, dest: 1 })
  const open = new CartesianGrid([3])
  expect(open.shift(2, 0, far)).toEqual({ source: undefined, dest: undefined })
})

test('CartesianGrid without dimensions is one rank', () => {
  const grid = new CartesianGrid([])
  expect([grid.size, grid.coordsOf(0, 'cart'), grid.rankAt([])]).toEqual([1, [], 0])
  expect(grid.sub(0, [])).toMatchObject({ color: 0, key: 0, grid: { dims: [], size: 1 } })
  expect(() => grid.shift(0, 0, 1)).toThrow(
    '`dimension` must be a dimension of the grid, which has none, but is 0',
  )
})

test('CartesianGrid.sub of no dimension leaves every rank on its own', () => {
  const grid = new CartesianGrid([2, 2])
  for (const rank of [0, 1, 2, 3]) {
    expect(grid.sub(rank, [false, false])).toMatchObject({ color: rank, key: 0, grid: { size: 1 } })
    expect(grid.sub(rank, [true, true])).toMatchObject({ color: 0, key: rank, grid: { size: 4 } })
  }
})

test('CartesianGrid keeps its own lists', () => {
  const dims = [2, 3]
  const periods = [true, false]
  const grid = new CartesianGrid(dims, periods)
  dims[0] = 9
  periods[0] = false
  expect([grid.dims, grid.periods]).toEqual([
    [2, 3],
    [true, false],
  ])
  expect(() => (grid.dims as number[]).push(1)).toThrow(TypeError)
  expect(new CartesianGrid([2, 3]).periods).toEqual([false, false])
})

test('CartesianGrid.checkFits refuses a communicator that is too small', () => {
  const grid = new CartesianGrid([3, 2])
  grid.checkFits({ name: 'world', size: 6 })
  grid.checkFits({ name: 'world', size: 7 })
  expect(() => grid.checkFits({ name: 'world', size: 5 })).toThrow(DimsError)
  expect(() => grid.checkFits({ name: 'world', size: 5 })).toThrow(
    '`dims` must be a grid of at most 5, the size of `world`, but is [3, 2]',
  )
})

test('CartesianGrid refuses what makes no grid', () => {
  for (const extent of [0, -1, 1.5, NaN, '2', undefined, 2n]) {
    expect(() => new CartesianGrid([2, extent as number])).toThrow(DimsError)
  }
  expect(() => new CartesianGrid([2, 0])).toThrow(
    '`dims[1]` must be an integer of at least 1, but is 0. `createDims` fills in zeros',
  )
  expect(() => new CartesianGrid([2 ** 30, 2 ** 30])).toThrow(DimsError)
  for (const dims of [undefined, 4, 'ab', { length: 1 }]) {
    expect(() => new CartesianGrid(dims as never)).toThrow(ArgumentError)
  }
  for (const periods of [null, true, [true], [true, true, true], [true, 1], [true, undefined]]) {
    expect(() => new CartesianGrid([2, 2], periods as never)).toThrow(ArgumentError)
  }
  expect(() => new CartesianGrid([2], [0 as never])).toThrow(
    '`periods[0]` must be true or false, but is 0',
  )
})

test('CartesianGrid refuses ranks, coordinates and dimensions that it has not', () => {
  const grid = new CartesianGrid([2, 3], [true, false])
  for (const rank of [-1, 6, 0.5, undefined, '0']) {
    expect(() => grid.coordsOf(rank as number, 'cart')).toThrow(RankError)
  }
  expect(() => grid.coordsOf(6, 'cart')).toThrow(
    '`rank`: rank 6 is outside 0..5 of `cart`, which has 6 ranks',
  )
  for (const coords of [
    undefined,
    3,
    [0],
    [0, 0, 0],
    [0, 3],
    [0, -1],
    [0, NaN],
    [0.5, 0],
    [0, '0'],
  ]) {
    expect(() => grid.rankAt(coords as never)).toThrow(ArgumentError)
  }
  expect(() => grid.rankAt([7, 3])).toThrow('`coords[1]` must be an integer from 0 to 2, but is 3')
  for (const dimension of [-1, 2, 0.5, undefined]) {
    expect(() => grid.shift(0, dimension as number, 1)).toThrow(DimsError)
  }
  for (const displacement of [0.5, NaN, Infinity, '1', 1n]) {
    expect(() => grid.shift(0, 0, displacement as number)).toThrow(ArgumentError)
  }
  for (const keep of [undefined, true, [true], [true, 1], [true, true, true]]) {
    expect(() => grid.sub(0, keep as never)).toThrow(ArgumentError)
  }
})
