import { CartesianGrid } from '../comm/cartesian.js'
import type { CommunicatorState } from '../comm/communicator-state.js'
import { ArgumentError } from '../errors/index.js'
import { membershipOf, nameOfPart } from './membership.js'
import { listsDiffer } from './lists-differ.js'
import type { Plan } from './plan.js'
import { rowOf } from './table.js'

/** A grid of ranks. */
export interface CartOptions {
  /** Number of ranks along each dimension, at least 1; `createDims` finds them. */
  dims: readonly number[]
  /** Whether the ranks along a dimension make a ring; they do not where it is left out. */
  periods?: readonly boolean[]
  /** Whether ranks may be numbered anew to suit the machine. They keep their order all the same. */
  reorder?: boolean
}

/** A communicator laid out as a grid (MPI 4.1, section 8.5.1). Ranks that it has no room for are in none. */
export function cartPlan(
  on: CommunicatorState,
  options: CartOptions | undefined,
  operation: string,
): Plan {
  const grid = new CartesianGrid(options?.dims as readonly number[], options?.periods)
  grid.checkFits(on)
  const reorder = options?.reorder ?? false
  if (typeof reorder !== 'boolean') {
    throw new ArgumentError({ argument: 'reorder', seen: reorder, expected: 'true or false' })
  }
  const own = rowOf(
    grid.dims.map((extent, dimension) => 2 * extent + Number(grid.periods[dimension])),
  )
  return {
    tells: own,
    membership(told, number) {
      const peer = told.whoDiffers(own)
      if (peer >= 0) throw listsDiffer(on, operation, { number, own, peer, told }, inWords)
      if (on.rank >= grid.size) return undefined
      const ranks = Array.from({ length: grid.size }, (_, rank) => rank)
      const extents = grid.dims.length === 0 ? 'of none' : grid.dims.join('x')
      return membershipOf(on, nameOfPart(on, `cart ${extents}`), ranks, grid)
    },
  }
}

/** Of each dimension twice its extent, and one more of a ring. */
function inWords(list: readonly number[] | undefined, count: number): string {
  if (list === undefined) return `another grid of ${count} dimensions`
  const dims = `dims [${list.map((entry) => Math.floor(entry / 2)).join(', ')}]`
  const rings = list.map((entry) => entry % 2 === 1)
  return rings.includes(true) ? `${dims}, periods [${rings.join(', ')}]` : dims
}
