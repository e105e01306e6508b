import { ABORT_CODE_WORD, ABORT_FLAG_WORD, ABORT_ORIGIN_WORD } from '@commworld/transport'
import { AbortedError } from '../errors/index.js'

/** Whether somebody has ended the world. */
export function isAborted(i32: Int32Array): boolean {
  return Atomics.load(i32, ABORT_FLAG_WORD >> 2) !== 0 // written by another thread
}

/**
 * Ends the world. The first caller wins and its code counts; the caller then rings every doorbell.
 *
 * @returns whether this call was the first
 */
export function setAborted(i32: Int32Array, code: number, origin: number): boolean {
  // Exchange: one winner writes code and origin.
  if (Atomics.compareExchange(i32, ABORT_FLAG_WORD >> 2, 0, 1) !== 0) return false
  Atomics.store(i32, ABORT_CODE_WORD >> 2, code)
  Atomics.store(i32, ABORT_ORIGIN_WORD >> 2, origin)
  return true
}

export function abortedError(i32: Int32Array): AbortedError {
  const origin = Atomics.load(i32, ABORT_ORIGIN_WORD >> 2)
  return new AbortedError({
    exitCode: Atomics.load(i32, ABORT_CODE_WORD >> 2),
    origin: origin < 0 ? undefined : origin,
  })
}
