/**
 * The symbolic buffers of a plan. What they are is bound when a collective is called; algorithms
 * know blocks of them and nothing else.
 */

/** What the caller gives. Never written. */
export const IN = 0
/** What the caller gets. Of a broadcast it holds the input as well, at the root. */
export const OUT = 1
/** Room of this rank alone, as long as `scratch` of the algorithm says. */
export const TMP = 2
/** Room of this rank that the others can read as soon as it is published; may be reused at once. */
export const SLOT = 3
/** Room that all ranks of the communicator share, written by whoever runs `once`. */
export const SHARED = 4

export type Buffer = typeof IN | typeof OUT | typeof TMP | typeof SLOT | typeof SHARED

export const BUFFER_NAMES: readonly string[] = ['in', 'out', 'tmp', 'slot', 'shared']

/** The operand that comes from elsewhere is the lower or the higher one: reductions need not commute. */
export const LOWER = 0
export const HIGHER = 1

export type Side = typeof LOWER | typeof HIGHER
