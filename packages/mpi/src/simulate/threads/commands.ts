/** What a rank's thread asks the clock's thread to do, with the numbers that follow. */

/** state, to, bytes, slot, token, operation, local, remote, receive; so are FETCH and FINISH. */
export const SEND = 1
export const FETCH = 2
export const FINISH = 3
/** Flight; 1 for the overhead of a receive. */
export const TURN_TO = 4
/** Flight. */
export const LANDED = 5
/** Flight. */
export const RELEASE = 6
/** Picoseconds. */
export const COMPUTE = 7
export const RETURNED = 8
/** Rank. */
export const WAKE = 9
/** To, bytes, number. */
export const GOAL_SEND = 10
/** From, bytes, number; 1 when it ends at once. */
export const GOAL_RECEIVE = 11
/** Operation. */
export const GOAL_ENDED = 12
