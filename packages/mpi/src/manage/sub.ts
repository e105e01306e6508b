import type { CartesianGrid } from '../comm/cartesian.js'
import type { CommunicatorState } from '../comm/communicator-state.js'
import { membershipOf, nameOfPart } from './membership.js'
import { listsDiffer } from './lists-differ.js'
import type { Plan } from './plan.js'
import { rowOf } from './table.js'

/** The parts of a grid that keep some of its dimensions, a communicator each (MPI 4.1, section 8.5.6). */
export function subPlan(
  on: CommunicatorState,
  grid: CartesianGrid,
  keep: readonly boolean[],
  operation: string,
): Plan {
  const part = grid.sub(on.rank, keep)
  const own = rowOf(keep.map(Number))
  return {
    tells: own,
    membership(told, number) {
      const peer = told.whoDiffers(own)
      if (peer >= 0) throw listsDiffer(on, operation, { number, own, peer, told }, inWords)
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

function inWords(list: readonly number[] | undefined): string {
  return list === undefined ? 'other dimensions' : `keep [${list.map(Boolean).join(', ')}]`
}
