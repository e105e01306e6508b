import type { WorldMemory } from '@commworld/transport'
import { CommunicatorState, SELF_CONTEXT, WORLD_CONTEXT } from '../../comm/communicator-state.js'
import { CommunicatorTable } from '../../comm/communicator-table.js'
import { Board } from '../../device/board.js'
import type { Carrier } from '../../device/carrier.js'
import type { Endpoint } from '../../device/endpoint.js'
import type { EndpointSettings } from '../../device/settings.js'
import { Inbox } from '../../p2p/inbox.js'
import { Outbox } from '../../p2p/outbox.js'
import { Ownership } from '../../p2p/ownership.js'
import { RegisteredViews } from '../../p2p/registered-views.js'
import { CallSites } from '../../record/call-sites.js'
import { OperationLog } from '../../record/operation-log.js'
import { TraceRecorder, traceLimitFor } from '../../record/trace.js'
import { ValueCodec } from '../../value/value-codec.js'
import { worldBoardOf } from './mpi-root.js'
import { OpenRequests } from './open-requests.js'
import type { Rank } from '../rank.js'
import type { WorldOptions } from './world-options.js'

/** Puts the parts of a rank together. */
export function assembleRank(
  memory: WorldMemory,
  rank: number,
  options: WorldOptions,
  settings: EndpointSettings,
  endpoint: Endpoint,
  carrier: Carrier,
): Rank {
  const { ranks, strictZeroCopy = false } = options
  const { eagerLimitBytes, slotBytes } = settings
  const outbox = new Outbox(memory, endpoint, { eagerLimitBytes, strictZeroCopy })
  const stagedBytesMax = strictZeroCopy ? eagerLimitBytes : Infinity
  const inbox = new Inbox(memory, endpoint, outbox, { stagedBytesMax })
  const trace = new TraceRecorder(traceLimitFor(ranks), { sites: options.sites === true })
  const onMatch: typeof inbox.onMatch = (receive, source, number) =>
    trace.matched(receive.traced, source, number - 1)
  inbox.onMatch = onMatch
  endpoint.handleBy(inbox)
  const worldBoard = (): Board => {
    const address = worldBoardOf(memory)
    return new Board(memory, endpoint, {
      address,
      slotBytes,
      rank,
      size: ranks,
      members: undefined,
    })
  }
  const world = new CommunicatorState({
    name: 'world',
    context: WORLD_CONTEXT,
    group: undefined,
    rank,
    size: ranks,
    board: ranks === 1 ? undefined : worldBoard(),
  })
  const self = new CommunicatorState({
    name: 'self',
    context: SELF_CONTEXT,
    group: [rank],
    rank: 0,
    size: 1,
    board: undefined,
  })
  const communicators = new CommunicatorTable()
  communicators.add(world)
  communicators.add(self)
  return {
    rank,
    size: ranks,
    strictZeroCopy,
    eagerLimitBytes,
    slotBytes,
    memory,
    endpoint,
    carrier,
    outbox,
    inbox,
    trace,
    ownership: new Ownership(),
    views: new RegisteredViews(memory, endpoint.registered),
    codec: new ValueCodec(),
    log: new OperationLog(),
    sites: new CallSites(options.sites === true, carrier.clock === undefined ? 1 : ranks),
    openRequests: new OpenRequests(),
    world,
    self,
    communicators,
  }
}
