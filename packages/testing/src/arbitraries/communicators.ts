import type { Communicator } from '@commworld/mpi'
import fc from 'fast-check'

/** How a communicator is made from the world. */
export type CommunicatorShape =
  | { readonly kind: 'world' }
  | { readonly kind: 'dup' }
  /** Ranks in the opposite order. */
  | { readonly kind: 'reversed' }
  /** Parts by color, ordered by key; by rank of the world. */
  | { readonly kind: 'split'; readonly colors: readonly number[]; readonly keys: readonly number[] }
  /** A grid of all ranks: a `CartesianCommunicator`. */
  | {
      readonly kind: 'cartesian'
      readonly dims: readonly number[]
      readonly periods: readonly boolean[]
    }

/**
 * Communicators: the world, a copy, one in which ranks stand in the opposite order, and parts that are
 * not contiguous, and grids. Shrinks toward the world.
 * @example
 * await fc.assert(
 *   forAllWorlds({ data: communicators }, async ({ world }, shape) => {
 *     const part = await makeCommunicator(world, shape)
 *     expect(part.size).toBeLessThanOrEqual(world.size)
 *     if (part !== world) part.free()
 *   }),
 * )
 */
export function communicators(ranks: number): fc.Arbitrary<CommunicatorShape> {
  const perRank = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
    fc.array(one, { minLength: ranks, maxLength: ranks })
  return fc.oneof(
    { withCrossShrink: true },
    fc.constant<CommunicatorShape>({ kind: 'world' }),
    fc.constant<CommunicatorShape>({ kind: 'dup' }),
    fc.constant<CommunicatorShape>({ kind: 'reversed' }),
    fc.record({
      kind: fc.constant('split' as const),
      colors: perRank(fc.nat(2)),
      keys: perRank(fc.nat(ranks)),
    }),
    fc.constantFrom(...gridsOf(ranks)).chain((dims) =>
      fc.record({
        kind: fc.constant('cartesian' as const),
        dims: fc.constant(dims),
        periods: fc.array(fc.boolean(), { minLength: dims.length, maxLength: dims.length }),
      }),
    ),
  )
}

/** The ways to lay so many ranks out in up to three dimensions, a line first. */
function gridsOf(ranks: number): number[][] {
  const divisors = Array.from({ length: ranks }, (_, i) => i + 1).filter((one) => ranks % one === 0)
  const flat = divisors.map((rows) => [ranks / rows, rows])
  const deep = flat.flatMap(([plane, rows]) =>
    divisors.filter((one) => plane! % one === 0).map((one) => [plane! / one, one, rows!]),
  )
  return [[ranks], ...flat, ...deep]
}

/**
 * Makes it; on all ranks of the world.
 * @example
 * const reversed = await runWorld(3, async ({ world }) => {
 *   const made = await makeCommunicator(world, { kind: 'reversed' })
 *   made.free()
 *   return made.rank
 * })
 * reversed.values // [ 2, 1, 0 ]
 */
export async function makeCommunicator(
  world: Communicator,
  shape: CommunicatorShape,
): Promise<Communicator> {
  const { rank } = world
  switch (shape.kind) {
    case 'world':
      return world
    case 'dup':
      return await world.idup()
    case 'reversed':
      return await world.isplit({ color: 0, key: world.size - rank })
    case 'cartesian':
      return (await world.icreateCart(shape))!
    case 'split':
      return await world.isplit({ color: shape.colors[rank]!, key: shape.keys[rank]! })
  }
}
