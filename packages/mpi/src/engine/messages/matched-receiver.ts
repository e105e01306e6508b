import type { CommunicatorState } from '../../comm/communicator-state.js'
import type { Memory } from '../../datatype/index.js'
import { SharedThreadError } from '../../errors/index.js'
import { statusOfMessage } from '../../p2p/probe.js'
import type { ReceiveRequest } from '../../p2p/receive-request.js'
import type { Request } from '../../p2p/request.js'
import { Status } from '../../p2p/status.js'
import type { UnexpectedMessage } from '../../p2p/unexpected-message.js'
import { hand } from '../calls.js'
import { MatchedMessage, type MessageReceiver } from './matched-message.js'
import { NullRequest } from './null-request.js'
import type { Receives } from './receives.js'
import type { Rank } from '../rank.js'

/** Takes messages out of matching, and makes the receives that they are given to. */
export class MatchedReceiver {
  readonly #rank: Rank
  readonly #receives: Receives

  constructor(rank: Rank, receives: Receives) {
    this.#rank = rank
    this.#receives = receives
  }

  /** `undefined` stands for the message of PROC_NULL. */
  take(on: CommunicatorState, message: UnexpectedMessage | undefined): MatchedMessage {
    if (message === undefined) {
      return new MatchedMessage(new Status(), this.#nobody())
    }
    this.#rank.inbox.unexpected.remove(message)
    return new MatchedMessage(statusOfMessage(on, message), this.#receiver(on, message))
  }

  #receiver(on: CommunicatorState, message: UnexpectedMessage): MessageReceiver {
    const { source, tag } = message
    const deliver = <T>(request: ReceiveRequest<T>, blocking: boolean): Request<T> => {
      this.#rank.inbox.deliverTaken(message, request)
      return blocking ? request : hand(this.#rank, request)
    }
    return {
      value: (blocking) => {
        this.#needThread(blocking, 'recv')
        return deliver(this.#receives.ofValue(on, source, tag, 'mrecv'), blocking)
      },
      memory: (memory: Memory, blocking) => {
        this.#needThread(blocking, 'recvInto')
        const request = this.#receives.ofMemory(on, memory, source, tag, 'mrecvInto')
        this.#receives.claim(request, !blocking)
        return deliver(request, blocking)
      },
    }
  }

  #nobody(): MessageReceiver {
    return {
      value: () => new NullRequest<unknown>(this.#rank, undefined),
      memory: () => new NullRequest<Status>(this.#rank, new Status()),
    }
  }

  #needThread(blocking: boolean, operation: string): void {
    if (blocking && !this.#rank.carrier.blocks) {
      throw new SharedThreadError({ operation, instead: `await message.i${operation}(...)` })
    }
  }
}
