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
export const WINDOW_BIND_ERROR = 6
export const BAD_RESPONSE = 7
export const LOCAL_ACCESS_ERROR = 8
export const REMOTE_INVALID_REQUEST = 9
export const REMOTE_ACCESS_ERROR = 10
export const REMOTE_OPERATION_ERROR = 11
export const RETRY_EXCEEDED = 12
export const RNR_RETRY_EXCEEDED = 13
export const REMOTE_ABORTED = 16
export const FATAL = 19

/** What each status says in words, as `ibv_wc_status_str` does. */
export const completionStatusTexts: Readonly<Record<CompletionStatus, string>> = {
  success: 'success',
  localLengthError: 'local length error',
  localQueuePairOperationError: 'local queue pair operation error',
  localEndToEndContextError: 'local end-to-end context operation error',
  localProtectionError: 'local protection error',
  flushed: 'work request flushed error',
  memoryWindowBindError: 'memory window bind error',
  badResponse: 'bad response error',
  localAccessError: 'local access error',
  remoteInvalidRequest: 'remote invalid request error',
  remoteAccessError: 'remote access error',
  remoteOperationError: 'remote operation error',
  retryExceeded: 'transport retry counter exceeded',
  receiverNotReadyRetryExceeded: 'receiver-not-ready retry counter exceeded',
  localDatagramDomainViolation: 'local reliable datagram domain violation error',
  remoteInvalidReadRequest: 'remote invalid reliable datagram request',
  remoteAborted: 'operation aborted',
  invalidEndToEndContextNumber: 'invalid end-to-end context number',
  invalidEndToEndContextState: 'invalid end-to-end context state',
  fatal: 'fatal error',
  responseTimeout: 'response timeout error',
  generalError: 'general error',
}

/** Name of a status number. */
export function completionStatusName(status: number): CompletionStatus {
  return completionStatusNames[status] ?? 'generalError'
}
