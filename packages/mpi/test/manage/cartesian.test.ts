import { CartesianCommunicator, createDims, local, PROC_NULL, SUM } from '@commworld/mpi'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coordsOf, type Grid } from './model.js'

const grids: fc.Arbitrary<Grid> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.boolean()), { maxLength: 3 })
  .map((list) => ({ dims: list.map(([n]) => n), periods: list.map(([, ring]) => ring) }))
  .filter(({ dims }) => dims.reduce((product, extent) => product * extent, 1) <= 24)

/** Where a message goes that is moved along a dimension, step by step; nowhere once the grid ends. */
function moved({ dims, periods }: Grid, rank: number, along: number, steps: number): number {
  const at = coordsOf(dims, rank)
  for (let step = 0; step < Math.abs(steps); step++) {
    at[along]! += Math.sign(steps)
    if (periods[along] && at[along] === dims[along]) at[along] = 0
    if (periods[along] && at[along]! < 0) at[along] = dims[along]! - 1
  }
  return rankOf(dims, at)
}

function rankOf(dims: readonly number[], at: readonly number[]): number {
  const size = dims.reduce((product, extent) => product * extent, 1)
  return Array.from({ length: size }, (_, rank) => coordsOf(dims, rank)).findIndex(
    (coords) => coords.join() === at.join(),
  )
}

test('messages along shifts go where the grid says, on every grid', async () => {
  await fc.assert(
    fc.asyncProperty(
      grids,
      fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 3 }),
      fc.nat(2),
      async (grid, displacements, spare) => {
        const size = grid.dims.reduce((product, extent) => product * extent, 1)
        await local(size + spare, async ({ world }) => {
          const cart = await world.icreateCart(grid)
          expect(cart?.size).toBe(world.rank < size ? size : undefined)
          if (cart === undefined) return
          expect(cart.coords()).toEqual(coordsOf(grid.dims, cart.rank))
          for (const dimension of grid.dims.keys()) {
            for (const displacement of displacements) {
              const { source, dest } = cart.shift(dimension, displacement)
              const to = moved(grid, cart.rank, dimension, displacement)
              expect(dest).toBe(to < 0 ? PROC_NULL : to)
              const got = await cart.isendrecv(cart.rank, { dest, source })
              const from = moved(grid, cart.rank, dimension, -displacement)
              expect(got).toBe(from < 0 ? undefined : from)
            }
          }
        })
      },
    ),
    { numRuns: 60 },
  )
})

test('sub keeps the ranks that agree in the dimensions that go', async () => {
  await fc.assert(
    fc.asyncProperty(
      grids,
      fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
      async (grid, flags) => {
        const keep = flags.slice(0, grid.dims.length)
        const size = grid.dims.reduce((product, extent) => product * extent, 1)
        const kept = <T>(list: readonly T[]): T[] => list.filter((_, dimension) => keep[dimension])
        await local(size, async ({ world }) => {
          const cart = (await world.icreateCart(grid))!
          const part = await cart.isub(keep)
          const own = cart.coords()
          const together = Array.from({ length: size }, (_, rank) => rank).filter((rank) =>
            coordsOf(grid.dims, rank).every(
              (at, dimension) => keep[dimension] || at === own[dimension],
            ),
          )
          expect(await part.iallgather(world.rank)).toEqual(together)
          expect([part.dims, part.periods]).toEqual([kept(grid.dims), kept(grid.periods)])
          expect(part.coords()).toEqual(kept(own))
          const sum = together.reduce((total, rank) => total + rank, 0)
          expect(await part.iallreduce(world.rank, SUM)).toBe(sum)
        })
      },
    ),
    { numRuns: 60 },
  )
})

test('a dup of a grid is a grid, and names say where they come from', async () => {
  await local(6, async ({ world }) => {
    const cart = (await world.icreateCart({ dims: createDims(6, [0, 0]), periods: [true, false] }))!
    const dup = await cart.idup()
    expect(dup).toBeInstanceOf(CartesianCommunicator)
    expect([dup.dims, dup.periods, dup.shift(0)]).toEqual([cart.dims, cart.periods, cart.shift(0)])
    expect(dup.compare(cart)).toBe('congruent')
    const [row] = dup.coords()
    const names = [cart, dup, await dup.isub([false, true])].map(({ name }) => name)
    expect(names).toEqual([
      'world/cart 3x2',
      'dup of world/cart 3x2',
      `dup of world/cart 3x2/sub ${row},*`,
    ])
  })
})

test('a grid without dimensions is one rank', async () => {
  await local(3, async ({ world }) => {
    const cart = await world.icreateCart({ dims: [] })
    expect(cart?.size).toBe(world.rank === 0 ? 1 : undefined)
    expect([cart?.coords() ?? [], cart?.rankAt([]) ?? 0]).toEqual([[], 0])
  })
})
