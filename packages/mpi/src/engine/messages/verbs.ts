import { operationCode } from '../../record/trace.js'
import type { OperationName } from '../../record/operation.js'

/** A way to send: what reports call it, and its mode. */
export interface SendVerb {
  readonly name: OperationName
  readonly code: number
  readonly mode: number
  /** What to call instead on a thread that ranks share. */
  readonly instead: string
}

export function sendVerb(name: OperationName, mode: number): SendVerb {
  return { name, code: operationCode(name), mode, instead: `await world.i${name}(...)` }
}

/** A way to receive. */
export interface ReceiveVerb {
  readonly name: OperationName
  readonly code: number
  readonly instead: string
}

export function receiveVerb(name: OperationName): ReceiveVerb {
  return { name, code: operationCode(name), instead: `await world.i${name}(...)` }
}
