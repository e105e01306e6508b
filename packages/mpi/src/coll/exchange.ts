import type { CommunicatorState } from '../comm/communicator-state.js'
import type { Process } from '../p2p/process.js'
import type { Request } from '../p2p/request.js'

/** How collectives talk: point-to-point in a context that no other message is in. */
export interface Exchange {
  readonly process: Process
  /**
   * Sends a value; `undefined` goes without a payload.
   *
   * @returns the request, unless the message is gone already
   */
  send(on: CommunicatorState, value: unknown, dest: number, tag: number): Request<void> | undefined
  receive(on: CommunicatorState, source: number, tag: number): Request<unknown>
}
