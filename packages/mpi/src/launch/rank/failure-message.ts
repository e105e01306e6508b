import { AbortedError, packError } from '../../errors/index.js'
import type { AbortMessage, FailedMessage, OtherRanks } from './rank-message.js'

/** What was thrown, for the job's main thread. */
export function failureMessage(
  error: unknown,
  rank: number | undefined,
  others?: OtherRanks,
): FailedMessage | AbortMessage {
  if (error instanceof AbortedError && error.origin !== undefined) {
    const { origin, exitCode, stack = '' } = error
    return { type: 'abort', origin, code: exitCode, stack }
  }
  return { type: 'failed', rank, error: packError(error), ...(others && { others }) }
}
