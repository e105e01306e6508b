import type { CommunicatorState } from '../comm/communicator-state.js'
import type { Process } from '../p2p/process.js'
import type { Request } from '../p2p/request.js'

/** How collectives talk: point-to-point in a context that no other message is in. */
export interface Exchange {
  readonly process: Process
  /** `undefined` goes without a payload. */
  send(on: CommunicatorState, value: unknown, dest: number, tag: number): Request<void>
  receive(on: CommunicatorState, source: number, tag: number): Request<unknown>
}
