import type { Waitable } from '../device/waitable.js'
import type { CommunicatorState } from '../comm/communicator-state.js'
import type { OperationName, OperationRecord } from '../record/operation.js'
import type { Wait } from '../record/rank-snapshot.js'
import type { Inbox } from './inbox.js'
import { ANY } from './matching/queued.js'
import { isElementKind } from './message-kind.js'
import { bytesOf } from '../datatype/index.js'
import { Status } from './status.js'
import type { UnexpectedMessage } from './unexpected-message.js'

/** A probe that waits for a message to arrive (MPI 4.1, section 3.8). */
export class ProbeWait implements Waitable {
  onDone: (() => void) | undefined
  readonly #inbox: Inbox
  readonly #communicator: CommunicatorState
  readonly #name: OperationName
  readonly #source: number
  readonly #tag: number
  readonly #sequence: number

  constructor(
    inbox: Inbox,
    communicator: CommunicatorState,
    name: OperationName,
    source: number,
    tag: number,
    sequence: number,
  ) {
    this.#inbox = inbox
    this.#communicator = communicator
    this.#name = name
    this.#source = source
    this.#tag = tag
    this.#sequence = sequence
  }

  get done(): boolean {
    return this.message !== undefined
  }

  get message(): UnexpectedMessage | undefined {
    return this.#inbox.unexpected.find(this.#communicator.receiveContext, this.#source, this.#tag)
  }

  missing(): Wait {
    const operation = this.describe()
    return this.#source === ANY
      ? { mode: 'and', arcs: [{ peer: 'any', members: this.#communicator.members(), operation }] }
      : { mode: 'and', arcs: [{ peer: this.#source, operation }] }
  }

  describe(): OperationRecord {
    const communicator = this.#communicator
    return {
      name: this.#name,
      peer: this.#source === ANY ? 'any' : communicator.rankOf(this.#source),
      ...(this.#source === ANY ? {} : { worldPeer: this.#source }),
      tag: this.#tag === ANY ? 'any' : this.#tag,
      communicator: communicator.name,
      context: communicator.receiveContext,
      sequence: this.#sequence,
    }
  }
}

/** What a receive of this message would say. */
export function statusOfMessage(
  communicator: CommunicatorState,
  message: UnexpectedMessage,
): Status {
  const { source, tag, kind, bytes } = message
  const status = new Status()
  status.source = communicator.rankOf(source)
  status.tag = tag
  status.bytes = bytes
  status.count = isElementKind(kind) ? bytes / bytesOf(kind) : undefined
  return status
}
