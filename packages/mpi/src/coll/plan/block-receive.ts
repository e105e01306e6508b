import type { CommunicatorState } from '../../comm/communicator-state.js'
import { bytesOf, nameOf, type ElementKind } from '../../datatype/index.js'
import { BlockError, MismatchError } from '../../errors/index.js'
import { MemoryReceive } from '../../p2p/memory-receive.js'
import { nameOfMessageKind } from '../../p2p/message-kind.js'
import type { Process } from '../../p2p/process.js'

/** A receive of one message of a plan: it must be exactly as long as this rank expects. */
export class BlockReceive extends MemoryReceive {
  declare private readonly operation: string

  constructor(
    process: Process,
    communicator: CommunicatorState,
    operation: string,
    peer: number,
    tag: number,
    kind: ElementKind,
    address: number,
    bytes: number,
  ) {
    const { collectiveContext } = communicator
    const source = communicator.worldRank(peer)
    const { u8 } = process.memory
    super(
      process,
      communicator,
      'irecv',
      collectiveContext,
      source,
      tag,
      u8,
      kind,
      address,
      bytes,
      undefined,
    )
    this.operation = operation
  }

  override refuse(): Error | undefined {
    if (this.messageKind === this.kind && this.messageBytes === this.bytesMax) return undefined
    const { name } = this.communicator
    const peer = this.communicator.rankOf(this.messageSource)
    if (this.messageKind !== this.kind) {
      const sent = nameOfMessageKind(this.messageKind)
      const received = nameOf(this.kind)
      return new MismatchError({ source: peer, tag: this.tag, communicator: name, sent, received })
    }
    return new BlockError({
      operation: this.operation,
      communicator: name,
      peer,
      sentBytes: this.messageBytes,
      expectedBytes: this.bytesMax,
      element: { name: nameOf(this.kind), bytes: bytesOf(this.kind) },
    })
  }
}
