/** Why a queue pair went to the error state: what real hardware reduces to a vendor code. */
export const errorCauses = [
  'none',
  'the local key names no valid region',
  'the segment reaches outside its region',
  'the region belongs to another protection domain',
  'the region lacks the right',
  'the remote key names no valid region of the peer',
  'the remote range reaches outside its region',
  'the remote region belongs to another protection domain',
  'the remote region lacks the right',
  'the queue pair of the peer does not grant the operation',
  'the message is longer than the receive',
  'the peer is not connected, or not ready to receive',
  'a receive of the peer names memory that cannot be written',
  'the completion queue of the peer is full',
  'the completion queue is full',
  'modified to the error state',
] as const

export type ErrorCause = (typeof errorCauses)[number]

export const CAUSE_NONE = 0
/** The local four follow in the order of the checks: key, bounds, domain, right. */
export const CAUSE_LOCAL_KEY = 1
/** The remote four follow in the same order. */
export const CAUSE_REMOTE_KEY = 5
export const CAUSE_OPERATION_NOT_GRANTED = 9
export const CAUSE_MESSAGE_TOO_LONG = 10
export const CAUSE_PEER_NOT_READY = 11
export const CAUSE_PEER_RECEIVE_MEMORY = 12
export const CAUSE_PEER_COMPLETION_QUEUE_FULL = 13
export const CAUSE_COMPLETION_QUEUE_FULL = 14
export const CAUSE_MODIFIED = 15

/** Text of a cause. */
export function errorCauseText(cause: number): ErrorCause {
  return errorCauses[cause] ?? 'none'
}
