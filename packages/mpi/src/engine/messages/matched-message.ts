import type { Memory } from '../../datatype/index.js'
import { RequestError } from '../../errors/index.js'
import type { Request } from '../../p2p/request.js'
import type { Status } from '../../p2p/status.js'

/** Makes and carries out the receive of a message that has been taken out of matching. */
export interface MessageReceiver {
  value(blocking: boolean): Request<unknown>
  memory(memory: Memory, blocking: boolean): Request<Status>
}

/**
 * The message of a matched probe: no other receive can take it (MPI 4.1, section 3.8.2). It is
 * received once.
 *
 * @example
 * const message = world.mprobe({ source: ANY_SOURCE })
 * const data = new Float64Array(message.status.count ?? 0)
 * message.recvInto(data)
 */
export class MatchedMessage {
  /** What a receive of it says. */
  readonly status: Status
  readonly #receiver: MessageReceiver
  #received = false

  /** @internal */
  constructor(status: Status, receiver: MessageReceiver) {
    this.status = status
    this.#receiver = receiver
  }

  recv<T = unknown>(): T {
    return this.#receiveOnce('recv', (receiver) => receiver.value(true)).wait() as T
  }

  recvInto(memory: Memory): Status {
    return this.#receiveOnce('recvInto', (receiver) => receiver.memory(memory, true)).wait()
  }

  irecv<T = unknown>(): Request<T> {
    return this.#receiveOnce('irecv', (receiver) => receiver.value(false)) as Request<T>
  }

  irecvInto(memory: Memory): Request<Status> {
    return this.#receiveOnce('irecvInto', (receiver) => receiver.memory(memory, false))
  }

  /** A receive that is refused leaves the message for another. */
  #receiveOnce<T>(operation: string, start: (receiver: MessageReceiver) => Request<T>): Request<T> {
    if (this.#received) {
      throw new RequestError({ operation: `${operation} of a matched message`, problem: 'freed' })
    }
    const request = start(this.#receiver)
    this.#received = true
    return request
  }
}
