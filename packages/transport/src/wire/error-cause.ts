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
  'too many READs or atomics under way for the peer',
  'the remote address of an atomic is not a multiple of 8',
  'the memory window cannot be bound',
  'the key cannot be invalidated',
  'the key cannot be invalidated at the peer',
  'the message is longer than the port or the path allows',
  'the address handle belongs to another protection domain',
  'the operation does not belong to the service of the queue pair',
  'the peer did not answer',
  'the peer had no receive for too long',
  'the peer refused the order of operations',
  'the answer of the peer makes no sense',
  'the device failed',
  'a completion queue it uses has overrun',
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

export const CAUSE_TOO_MANY_READS = 16
export const CAUSE_MISALIGNED = 17
export const CAUSE_BIND_REFUSED = 18
export const CAUSE_INVALIDATE_REFUSED = 19
export const CAUSE_PEER_INVALIDATE_REFUSED = 20
export const CAUSE_MESSAGE_BEYOND_LIMIT = 21
export const CAUSE_FOREIGN_ADDRESS_HANDLE = 22
export const CAUSE_NOT_OF_SERVICE = 23
export const CAUSE_NO_ANSWER = 24
export const CAUSE_NO_RECEIVE = 25
export const CAUSE_OUT_OF_ORDER = 26
export const CAUSE_BAD_RESPONSE = 27
export const CAUSE_DEVICE_FAILED = 28
export const CAUSE_ATTACHED_QUEUE_OVERRUN = 29

/** Text of a cause. */
export function errorCauseText(cause: number): ErrorCause {
  return errorCauses[cause] ?? 'none'
}
