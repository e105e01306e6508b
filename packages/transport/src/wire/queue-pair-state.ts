/** Queue pair states: names in the order of `ibv_qp_state`, whose numbers they keep. */
export const queuePairStateNames = [
  'reset',
  'init',
  'readyToReceive',
  'readyToSend',
  'drained',
  'sendError',
  'error',
] as const

export type QueuePairState = (typeof queuePairStateNames)[number]

export const RESET = 0
export const INIT = 1
export const READY_TO_RECEIVE = 2
export const READY_TO_SEND = 3
export const DRAINED = 4
export const SEND_ERROR = 5
export const ERROR = 6

/** Name of a state number. */
export function queuePairStateName(state: number): QueuePairState {
  return queuePairStateNames[state] as QueuePairState
}

/** Whether messages from the peer are taken in this state. */
export function receives(state: number): boolean {
  return state >= READY_TO_RECEIVE && state <= SEND_ERROR
}
