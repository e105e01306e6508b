import type { OperationRecord } from './operation.js'

/** What is left over on a rank that returned from main(). Plain data. */

export interface OpenRequest {
  operation: OperationRecord
  /** Whether it had completed all the same when the rank finished. */
  complete: boolean
}

export interface FailedRequest {
  operation: OperationRecord
  /** Of the error nobody saw. */
  code: string
  message: string
}

export interface FinalizeFacts {
  rank: number
  /** Requests that were never waited on, awaited, freed or tested to completion. */
  openRequests: readonly OpenRequest[]
  /** Messages that arrived and were never received; `peer` is the source. */
  unreceived: readonly OperationRecord[]
  /** Requests that failed and were never looked at. */
  failedRequests: readonly FailedRequest[]
  /** How many there were in all, when the lists were cut short. */
  counts?: { openRequests: number; unreceived: number; failedRequests: number }
}
