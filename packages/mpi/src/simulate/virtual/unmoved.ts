import { ContentError } from '../../errors/index.js'
import type { ReceiveRequest } from '../../p2p/receive-request.js'
import { isElementKind } from '../../p2p/message-kind.js'
import { ValueReceive } from '../../value/value-receive.js'

/**
 * A run for times alone (`--timing-only`): typed arrays have a length and no content. What they are received into
 * keeps what it had. Values (numbers, objects) travel as ever, and so do those of collectives of values: programs
 * and the library go by them.
 */

/** Whether a message of this kind goes without its content. */
export function isUnmoved(kind: number, bytes: number, sendsContent: boolean): boolean {
  return isElementKind(kind) && bytes > 0 && !sendsContent
}

/** Has a receive take a message without content: where a value is wanted of it, that is an error. */
export function receiveUnmoved(receive: ReceiveRequest<unknown>, bytes: number): void {
  if (receive instanceof ValueReceive) {
    const operation = receive.name
    const refuse = (): Error => new ContentError({ operation, bytes })
    Object.assign(receive, { refuse })
  } else {
    receive.land = nothing
    receive.landPiece = nothing
  }
}

function nothing(): void {}
