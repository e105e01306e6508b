/**
 * Names for ranks and tags that are none. They are symbols, so that arithmetic on them fails at
 * once: `rank - 1` on rank 0 is an error and not a wildcard. Registered symbols, so that a
 * program with a second copy of the package still means the same.
 */

/** Receives and probes: from whichever rank sent first (MPI 4.1, section 3.2.4). */
export const ANY_SOURCE: unique symbol = Symbol.for('commworld.ANY_SOURCE') as never
/** Receives and probes: with whichever tag (MPI 4.1, section 3.2.4). */
export const ANY_TAG: unique symbol = Symbol.for('commworld.ANY_TAG') as never
/** Nobody: a send to it and a receive from it complete at once, without data (MPI 4.1, section 3.10). */
export const PROC_NULL: unique symbol = Symbol.for('commworld.PROC_NULL') as never
/** In place of a buffer: the other one doubles as input and output (MPI 4.1, section 6.2.1). */
export const IN_PLACE: unique symbol = Symbol.for('commworld.IN_PLACE') as never
/** A colour that drops a rank out of a split (MPI 4.1, section 7.4.2). */
export const UNDEFINED: unique symbol = Symbol.for('commworld.UNDEFINED') as never

export type Peer = number | typeof PROC_NULL
export type Source = Peer | typeof ANY_SOURCE
export type Tag = number | typeof ANY_TAG
export type InPlace = typeof IN_PLACE
