/** How a request or a receive ended: names in the order of `ibv_wc_status`, whose numbers they keep. */
export const completionStatusNames = [
  'success',
  'localLengthError',
  'localQueuePairOperationError',
  'localEndToEndContextError',
  'localProtectionError',
  'flushed',
  'memoryWindowBindError',
  'badResponse',
  'localAccessError',
  'remoteInvalidRequest',
  'remoteAccessError',
  'remoteOperationError',
  'retryExceeded',
  'receiverNotReadyRetryExceeded',
  'localDatagramDomainViolation',
  'remoteInvalidReadRequest',
  'remoteAborted',
  'invalidEndToEndContextNumber',
  'invalidEndToEndContextState',
  'fatal',
  'responseTimeout',
  'generalError',
] as const

export type CompletionStatus = (typeof completionStatusNames)[number]

export const SUCCESS = 0
export const LOCAL_LENGTH_ERROR = 1
export const LOCAL_QP_OPERATION_ERROR = 2
export const LOCAL_PROTECTION_ERROR = 4
export const FLUSHED = 5
export const LOCAL_ACCESS_ERROR = 8
export const REMOTE_INVALID_REQUEST = 9
export const REMOTE_ACCESS_ERROR = 10
export const REMOTE_OPERATION_ERROR = 11
export const RETRY_EXCEEDED = 12
export const RNR_RETRY_EXCEEDED = 13

/** Name of a status number. */
export function completionStatusName(status: number): CompletionStatus {
  return completionStatusNames[status] ?? 'generalError'
}
