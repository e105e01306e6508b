import type { OperationRecord } from '../record/operation.js'
import { ANY } from './matching/queued.js'
import { nameOfMessageKind } from './message-kind.js'
import type { ReceiveRequest } from './receive-request.js'
import type { SendRequest } from './send-request.js'

// Reports only: nothing here is on the hot path.

export function describeSend(request: SendRequest): OperationRecord {
  const { communicator, context } = request
  return {
    name: request.name,
    peer: communicator.rankOf(request.dest),
    worldPeer: request.dest,
    tag: request.tag,
    communicator: communicator.name,
    context,
    kind: nameOfMessageKind(request.kind),
    bytes: request.bytes,
    sequence: request.sequence,
    ...siteOf(request),
  }
}

export function describeReceive(request: ReceiveRequest<unknown>): OperationRecord {
  const { communicator, context, source, tag } = request
  const record: OperationRecord = {
    name: request.name,
    peer: source === ANY ? 'any' : communicator.rankOf(source),
    tag: tag === ANY ? 'any' : tag,
    communicator: communicator.name,
    context,
    sequence: request.order,
    ...request.room(),
    ...siteOf(request),
  }
  if (source !== ANY) record.worldPeer = source
  return record
}

export function siteOf(request: { site: { readonly stack?: string } | undefined }): {
  site?: string
} {
  const stack = request.site?.stack
  return stack === undefined ? {} : { site: stack }
}
