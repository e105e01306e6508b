import type { CommunicatorState } from '../comm/communicator-state.js'
import { ArgumentError } from '../errors/index.js'
import { UNDEFINED } from '../p2p/sentinels.js'
import { membershipOf, nameOfPart } from './membership.js'
import type { Plan } from './plan.js'

/** How ranks are told apart, and in which order those that stay together are numbered. */
export interface SplitOptions {
  /** Ranks of one colour make a communicator; an integer from 0, or `UNDEFINED` for none. */
  color: number | typeof UNDEFINED
  /** Any integer: ranks follow it, those with equal ones in their old order. 0 when left out. */
  key?: number
}

/** What ranks must have in common to stay together. */
export interface SplitTypeOptions {
  /** `shared`: memory, which all ranks of a world share; or `UNDEFINED` for no communicator. */
  type: 'shared' | typeof UNDEFINED
  /** As of `split`. */
  key?: number
}

/** What stands for `UNDEFINED` among colours. */
const NONE = -1
/** The one memory there is. */
const SHARED = 0

/** Communicators of the ranks that name one colour (MPI 4.1, section 7.4.2). */
export function splitPlan(on: CommunicatorState, options: SplitOptions | undefined): Plan {
  const seen = options?.color
  const color = seen === UNDEFINED ? NONE : seen
  if (!Number.isSafeInteger(color) || (seen !== UNDEFINED && color! < 0)) {
    const expected = 'an integer of at least 0, or UNDEFINED'
    throw new ArgumentError({ argument: 'color', seen, expected })
  }
  return colored(on, color!, keyOf(options), `split ${color}`)
}

/** Communicators of the ranks that share something (MPI 4.1, section 7.4.2). */
export function splitTypePlan(on: CommunicatorState, options: SplitTypeOptions | undefined): Plan {
  const seen = options?.type
  if (seen !== 'shared' && seen !== UNDEFINED) {
    throw new ArgumentError({ argument: 'type', seen, expected: "'shared' or UNDEFINED" })
  }
  return colored(on, seen === UNDEFINED ? NONE : SHARED, keyOf(options), seen as string)
}

function keyOf(options: { readonly key?: number } | undefined): number {
  const key = options?.key ?? 0
  if (Number.isSafeInteger(key)) return key
  throw new ArgumentError({ argument: 'key', seen: key, expected: 'an integer' })
}

function colored(on: CommunicatorState, color: number, key: number, suffix: string): Plan {
  return {
    tells: [color, key],
    membership(told) {
      if (color === NONE) return undefined
      const ranks: number[] = []
      for (let rank = 0; rank < told.size; rank++) if (told.at(rank, 0) === color) ranks.push(rank)
      // The sort is stable: equal keys keep the old order.
      ranks.sort((a, b) => told.at(a, 1) - told.at(b, 1))
      return membershipOf(on, nameOfPart(on, suffix), ranks)
    },
  }
}
