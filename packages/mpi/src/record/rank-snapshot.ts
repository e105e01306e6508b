import type { OperationRecord } from './operation.js'

/**
 * What a rank tells about itself when a report is due. Plain data, structured-cloneable, JSON-able.
 */

/**
 * - `starting`: its program is not loaded yet.
 * - `running`: in the program's own code, or in a call that can still move (its doorbell has rung).
 * - `blocked`: asleep in a plain verb or in a wait.
 * - `awaiting`: its event loop is empty and it awaits requests: provably blocked.
 * - `outside`: it awaits, and its event loop is alive (timer, file, fetch). Never a deadlock.
 * - `finished`: it left main() and was finalized. `failed`: it threw, exited or died.
 */
export type RankState =
  'starting' | 'running' | 'blocked' | 'awaiting' | 'outside' | 'finished' | 'failed'

/**
 * What one operation waits for. A rank of the world; or 'any' of the members (a wildcard receive);
 * or 'all' of the members (a collective that others have not entered, an unfinished isendrecv).
 * `members` are ranks of the world, of the whole world when absent; those that have given their part
 * already are left out. So each arc is itself a small node of one kind and a wait is at most two deep.
 */
export interface Arc {
  peer: number | 'any' | 'all'
  members?: readonly number[]
  operation: OperationRecord
  /** Of a collective: when the peer has begun it as well. */
  begun?: Begun
  /**
   * The peer has begun the collective, so it does not have to call it. Its part goes on while it waits
   * for something else, and what that lacks may come of any of these ranks, the members.
   */
  through?: readonly number[]
}

/** Where a member of a communicator says how many collectives it has begun, and which one is meant. */
export interface Begun {
  /** Index of the 32-bit word in the world's memory. */
  word: number
  /** How many it has begun before that one. */
  number: number
  /** Ranks of the world; of the whole world when absent. */
  members?: readonly number[] | undefined
}

/**
 * What a rank needs to go on: all of the arcs ('and': plain verbs, sendrecv, waitAll, collectives),
 * or one of them ('or': waitAny, waitSome, and the open requests of a rank that awaits, for any of
 * its tasks may go on). Satisfied parts are left out; 'and' without arcs can move, 'or' without arcs
 * never can.
 */
export interface Wait {
  mode: 'and' | 'or'
  arcs: readonly Arc[]
}

/** A rank as a node of the wait-for graph. Arcs count only in state 'blocked' and 'awaiting'. */
export interface RankWait extends Wait {
  rank: number
  state: RankState
}

/** A communicator this rank belongs to: lets reports translate ranks and see that groups overlap. */
export interface CommunicatorRecord {
  name: string
  context: number
  /** Context id of its collectives, and how many this rank has called. */
  collectiveContext: number
  collectives: number
  /** This rank's number in it. */
  rank: number
  /** The world rank of each member. */
  group: readonly number[]
}

/** Messages between this rank and one peer so far, over all communicators. */
export interface PeerTraffic {
  /** A rank of the world. */
  peer: number
  sent: number
  received: number
}

export interface RankSnapshot {
  rank: number
  state: RankState
  /** What it is blocked in; the `site` in it, or else `stack`, says where. */
  operation?: OperationRecord
  /** Raw stack text of the blocked call; once located the `file:line:column` of the user's call. */
  stack?: string
  waits: Wait
  /** Receives that have not matched, a blocked one included. */
  posted: readonly OperationRecord[]
  /** Messages that have arrived (envelope or all) and matched nothing; `peer` is the source. */
  unexpected: readonly OperationRecord[]
  /** Sends that have not completed, a blocked one included; `peer` is the destination. */
  pendingSends: readonly OperationRecord[]
  /** Requests that were made and never waited on, awaited or tested to completion. */
  openRequests: readonly OperationRecord[]
  /** The last operations, oldest first. */
  recent: readonly OperationRecord[]
  blockedMs?: number
  /** Freed ones included, for a while. */
  communicators?: readonly CommunicatorRecord[]
  traffic?: readonly PeerTraffic[]
}
