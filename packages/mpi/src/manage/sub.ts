import type { CartesianGrid } from '../comm/cartesian.js'
import type { CommunicatorState } from '../comm/communicator-state.js'
import { AgreementError } from '../errors/index.js'
import { membershipOf, nameOfPart } from './membership.js'
import { equal, type Plan } from './plan.js'

/** The parts of a grid that keep some of its dimensions, a communicator each (MPI 4.1, section 8.5.6). */
export function subPlan(
  on: CommunicatorState,
  grid: CartesianGrid,
  keep: readonly boolean[],
  operation: string,
): Plan {
  const part = grid.sub(on.rank, keep)
  const own = Float64Array.from(keep, Number)
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
      const ranks: number[] = []
      for (let rank = 0; rank < on.size; rank++) {
        const { color, key } = grid.sub(rank, keep)
        if (color === part.color) ranks[key] = rank
      }
      const coords = grid.coordsOf(on.rank, on.name)
      const place = coords.map((at, dimension) => (keep[dimension] ? '*' : at)).join(',')
      return membershipOf(on, nameOfPart(on, `sub ${place}`), ranks, part.grid)
    },
  }
}

function inWords(told: Float64Array): string {
  return `keep [${Array.from(told, Boolean).join(', ')}]`
}
