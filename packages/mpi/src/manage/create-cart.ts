import { CartesianGrid } from '../comm/cartesian.js'
import type { CommunicatorState } from '../comm/communicator-state.js'
import { AgreementError, ArgumentError } from '../errors/index.js'
import { membershipOf, nameOfPart } from './membership.js'
import { equal, type Plan } from './plan.js'

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
  const own = Float64Array.of(...grid.dims, ...grid.periods.map(Number))
  return {
    tells: own,
    membership(told, number) {
      const peer = told.findIndex((list) => !equal(list, own))
      if (peer >= 0) {
        throw new AgreementError({
          communicator: on.name,
          number,
          called: { operation, others: inWords(own) },
          first: { operation, others: inWords(told[peer]!) },
          peer,
        })
      }
      if (on.rank >= grid.size) return undefined
      const ranks = Array.from({ length: grid.size }, (_, rank) => rank)
      const extents = grid.dims.length === 0 ? 'of none' : grid.dims.join('x')
      return membershipOf(on, nameOfPart(on, `cart ${extents}`), ranks, grid)
    },
  }
}

function inWords(told: Float64Array): string {
  const count = told.length / 2
  const periods = Array.from(told.subarray(count), Boolean)
  const dims = `dims [${Array.from(told.subarray(0, count)).join(', ')}]`
  return periods.includes(true) ? `${dims}, periods [${periods.join(', ')}]` : dims
}
