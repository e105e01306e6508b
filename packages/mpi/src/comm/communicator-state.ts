import type { Board } from '../device/board.js'
import type { CartesianGrid } from './cartesian.js'

/** Offsets from the point-to-point context of a communicator to its others. */
const COLLECTIVE = 1
const MAKING = 2
/** Context ids that a communicator takes, one after the other. */
export const CONTEXTS_EACH = 3
/** Whether a context is that of messages which programs do not see: those of collectives. */
export function isInternalContext(context: number): boolean {
  return context % CONTEXTS_EACH !== 0
}

/** Contexts of the world and of each rank's self, before any that programs make. */
export const WORLD_CONTEXT = 0
export const SELF_CONTEXT = WORLD_CONTEXT + CONTEXTS_EACH
export const FIRST_FREE_CONTEXT = SELF_CONTEXT + CONTEXTS_EACH

/**
 * What a communicator is: a group of processes and a context that keeps its messages apart
 * (MPI 4.1, section 7.2). Plain state; communication with it is done by the layers above. It has
 * room for the two contexts and the remote group that an inter-communicator needs.
 */
export class CommunicatorState {
  name: string
  readonly sendContext: number
  readonly receiveContext: number
  /** Of the messages of collectives. */
  readonly collectiveContext: number
  /** World ranks by rank; `undefined` where they are equal, as in the world itself. */
  readonly localGroup: readonly number[] | undefined
  readonly remoteGroup: readonly number[] | undefined
  readonly rank: number
  readonly size: number
  /** Why nothing can be done with it any more: `was freed`. */
  closed: string | undefined = undefined
  /** Collectives begun so far, which numbers their messages. */
  collectives = 0
  /** What upper layers remember of the last call of each operation on it. */
  readonly remembered: unknown[] = []
  /** What its ranks show each other; none where there is one rank. */
  readonly board: Board | undefined
  /** How its ranks are laid out, of one that is a grid. */
  readonly grid: CartesianGrid | undefined
  readonly #rankByWorldRank: Map<number, number> | undefined

  constructor(facts: {
    name: string
    context: number
    group: readonly number[] | undefined
    rank: number
    size: number
    board: Board | undefined
    grid?: CartesianGrid | undefined
    /** Where collectives among a part of a communicator have a context that is not next to it. */
    collectiveContext?: number
  }) {
    this.name = facts.name
    this.board = facts.board
    this.grid = facts.grid
    this.sendContext = facts.context
    this.receiveContext = facts.context
    this.collectiveContext = facts.collectiveContext ?? facts.context + COLLECTIVE
    this.localGroup = facts.group
    this.remoteGroup = facts.group
    this.rank = facts.rank
    this.size = facts.size
    this.#rankByWorldRank = facts.group && new Map(facts.group.map((world, rank) => [world, rank]))
  }

  /** Of the messages by which some of its ranks make a communicator among themselves. */
  get makingContext(): number {
    return this.sendContext + MAKING
  }

  /** World rank of a rank to which messages go. */
  worldRank(rank: number): number {
    return this.remoteGroup === undefined ? rank : this.remoteGroup[rank]!
  }

  /** The rank here of a process of the world that sent a message. */
  rankOf(worldRank: number): number {
    return this.#rankByWorldRank === undefined ? worldRank : this.#rankByWorldRank.get(worldRank)!
  }

  /** Whether a process of the world is a member. */
  has(worldRank: number): boolean {
    if (this.#rankByWorldRank !== undefined) return this.#rankByWorldRank.has(worldRank)
    return worldRank >= 0 && worldRank < this.size
  }

  /** World ranks of all members. */
  members(): readonly number[] {
    return this.remoteGroup ?? Array.from({ length: this.size }, (_, rank) => rank)
  }
}
