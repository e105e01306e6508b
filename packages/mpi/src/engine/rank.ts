import type { WorldMemory } from '@commworld/transport'
import type { CommunicatorState } from '../comm/communicator-state.js'
import type { CommunicatorTable } from '../comm/communicator-table.js'
import type { Carrier } from '../device/carrier.js'
import type { Endpoint } from '../device/endpoint.js'
import type { Inbox } from '../p2p/inbox.js'
import type { Outbox } from '../p2p/outbox.js'
import type { Ownership } from '../p2p/ownership.js'
import type { Process } from '../p2p/process.js'
import type { RegisteredViews } from '../p2p/registered-views.js'
import type { CallSites } from '../record/call-sites.js'
import type { OperationLog } from '../record/operation-log.js'
import type { TraceRecorder } from '../record/trace.js'
import type { ValueCodec } from '../value/value-codec.js'
import type { OpenRequests } from './world/open-requests.js'

/** The parts that one rank is made of. Each does its own; this only says which belong together. */
export interface Rank extends Process {
  readonly rank: number
  readonly size: number
  readonly strictZeroCopy: boolean
  readonly eagerLimitBytes: number
  /** Of the slots of the boards of communicators. */
  readonly slotBytes: number
  readonly memory: WorldMemory
  readonly endpoint: Endpoint
  readonly carrier: Carrier
  readonly outbox: Outbox
  readonly inbox: Inbox
  readonly ownership: Ownership
  readonly views: RegisteredViews
  readonly codec: ValueCodec
  readonly log: OperationLog
  readonly sites: CallSites
  readonly trace: TraceRecorder
  readonly openRequests: OpenRequests
  readonly world: CommunicatorState
  readonly self: CommunicatorState
  /** Those two, and all that the program has made. */
  readonly communicators: CommunicatorTable
}
