import type { WorldMemory } from '@commworld/transport'
import type { Carrier } from '../device/carrier.js'
import type { TraceRecorder } from '../record/trace.js'
import type { Ownership } from './ownership.js'
import type { ReceiveRequest } from './receive-request.js'

/** The process that a request belongs to, as far as requests need it. */
export interface Process {
  readonly memory: WorldMemory
  readonly carrier: Carrier
  readonly ownership: Ownership
  /** Where waiting for requests of the program is recorded. */
  readonly trace: TraceRecorder
  readonly inbox: Withdrawals
}

/** Takes posted receives back. */
export interface Withdrawals {
  /** @returns whether it had not matched and is out of the queue now */
  withdraw(receive: ReceiveRequest<unknown>): boolean
}
