import { OP_NAMES } from '../coll/plan/schedule.js'
import { SimulationError } from './simulation-error.js'

/** A rank that cannot go on when nothing is under way any more. */
export interface StuckRank {
  readonly rank: number
  /** The operation that it could not begin, if there is one. */
  readonly nextOp: number | undefined
  /** Receives and sends that will never end. */
  readonly open: number
}

const SHOWN_MAX = 4

/** Ranks that wait for each other: an algorithm that is wrong. */
export function stuckError(ranks: readonly StuckRank[]): SimulationError {
  const words = ranks.slice(0, SHOWN_MAX).map(({ rank, nextOp, open }) => {
    const next = nextOp === undefined ? 'its end' : OP_NAMES[nextOp]
    return `rank ${rank} before ${next}, with ${open} under way`
  })
  const more = ranks.length > SHOWN_MAX ? `, and ${ranks.length - SHOWN_MAX} more` : ''
  return new SimulationError(`ranks wait for each other: ${words.join('; ')}${more}`)
}
