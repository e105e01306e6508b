import { isInternalContext } from '../../comm/communicator-state.js'
import type { Waitable } from '../../device/waitable.js'
import { ANY } from '../../p2p/matching/queued.js'
import { nameOfMessageKind } from '../../p2p/message-kind.js'
import type { UnexpectedMessage } from '../../p2p/unexpected-message.js'
import type { OperationRecord } from '../../record/operation.js'
import { NONE } from '../../record/operation-log.js'
import type { RankSnapshot, RankState, Wait } from '../../record/rank-snapshot.js'
import { firstOf } from '../../record/waits.js'
import type { Rank } from '../rank.js'

/** What lists are cut to in a report: a flood is as clear from its beginning. */
const LISTED = 200

/** Everything a report may want to know of a rank. `stack` is that of the blocked call. */
export function snapshotOf(
  rank: Rank,
  state: RankState,
  blockedIn: Waitable | undefined,
  stack: string | undefined,
  waits?: Wait,
): RankSnapshot {
  const open = rank.openRequests.unobserved()
  return {
    rank: rank.rank,
    state,
    ...(blockedIn === undefined ? {} : { operation: blockedIn.describe() }),
    ...(stack === undefined ? {} : { stack }),
    waits: waits ?? firstOf(open.map((request) => request.missing())),
    posted: ofProgram(take(rank.inbox.posted).map((receive) => receive.describe())),
    unexpected: ofProgram(
      take(rank.inbox.unexpected).map((message) => describeUnexpected(rank, message)),
    ),
    pendingSends: ofProgram(take(rank.outbox.pending()).map((send) => send.describe())),
    openRequests: open.slice(0, LISTED).map((request) => request.describe()),
    recent: recentOf(rank),
    communicators: take(rank.communicators.known()).map((communicator) => ({
      name: communicator.name,
      context: communicator.sendContext,
      collectiveContext: communicator.collectiveContext,
      collectives: communicator.collectives,
      rank: communicator.rank,
      group: communicator.members(),
    })),
    traffic: [...rank.endpoint.peers()].map(({ rank: peer, sent, received }) => ({
      peer,
      sent,
      received,
    })),
  }
}

/** A message that arrived and matched nothing; its `peer` is the source. */
export function describeUnexpected(rank: Rank, message: UnexpectedMessage): OperationRecord {
  const communicator = rank.communicators.find(message.context)
  return {
    name: 'send',
    peer: communicator?.rankOf(message.source) ?? message.source,
    worldPeer: message.source,
    tag: message.tag,
    communicator: communicator?.name ?? `context ${message.context}`,
    context: message.context,
    kind: nameOfMessageKind(message.kind),
    bytes: message.bytes,
    sequence: message.order,
  }
}

/** Without the messages of collectives: they can be confused with nothing that a program sends. */
function ofProgram(records: OperationRecord[]): OperationRecord[] {
  return records.filter(({ context }) => context === undefined || !isInternalContext(context))
}

function recentOf(rank: Rank): OperationRecord[] {
  return rank.log.recent((peer, tag, context, kind) => {
    const communicator = rank.communicators.find(context)
    const facts: Partial<OperationRecord> = {
      communicator: communicator?.name ?? `context ${context}`,
      context,
    }
    if (peer !== NONE) facts.peer = peer === ANY ? 'any' : (communicator?.rankOf(peer) ?? peer)
    if (peer >= 0) facts.worldPeer = peer
    if (tag !== NONE) facts.tag = tag === ANY ? 'any' : tag
    if (kind >= 0) facts.kind = nameOfMessageKind(kind)
    return facts
  })
}

function take<T>(items: Iterable<T>): T[] {
  const taken: T[] = []
  for (const item of items) {
    if (taken.length === LISTED) break
    taken.push(item)
  }
  return taken
}
