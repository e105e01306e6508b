import { indexOfGlobalIdentifier } from '../../hca/datagram/global-identifier.js'
import { hcaCount } from '../../hca/hca-table.js'
import { sendMail } from '../../hca/connection/mail.js'
import type { Mail, MailFields } from '../../hca/connection/mail.js'
import { isPathOpen } from '../../hca/connection/path.js'
import { hcaAddress } from '../../hca/hca-table.js'
import { demand, demandUnused } from '../../hca/verbs-error.js'
import {
  CONNECT_REJECT,
  CONNECT_REPLY,
  CONNECT_REQUEST,
  READY_TO_USE,
} from '../../wire/management-message.js'
import {
  DISCONNECT_REPLY,
  DISCONNECT_REQUEST,
  SERVICE_REPLY,
} from '../../wire/management-message.js'
import { SERVICE_REQUEST } from '../../wire/management-message.js'
import { HCA_PORT_MTU_BYTES } from '../../wire/hca-block.js'
import { Access } from '../access.js'
import type { ProtectionDomain } from '../protection-domain.js'
import type { QueuePair, QueuePairOptions } from '../queue-pair.js'
import type { ConnectionAgent } from './connection-agent.js'
import { PRIVATE_DATA_MAX } from './connection-event.js'
import type { ConnectionParameters } from './connection-event.js'
import type { EventChannel } from './event-channel.js'
import { REASON_CONSUMER } from './reject-reason.js'

/** What a connection is for: `reliable` connects queue pairs, `datagram` resolves services. */
export type PortSpace = 'reliable' | 'datagram'

/** Where somebody listens. */
export interface ServiceAddress {
  /** LID of the port, or its GID. */
  localIdentifier?: number
  globalIdentifier?: Uint8Array
  port: number
}

type State =
  | 'idle'
  | 'bound'
  | 'listening'
  | 'addressResolved'
  | 'routeResolved'
  | 'connecting'
  | 'requested'
  | 'accepting'
  | 'established'
  | 'closing'
  | 'closed'

/** Queue key of datagrams between queue pairs of the connection manager (RDMA_UDP_QKEY). */
export const DATAGRAM_QUEUE_KEY = 0x01234567
const PORT_MAX = 0xffff
const READS_DEFAULT = 16
const READS_MAX = 128
const NO_SUCH_ADDRESS = 99
const TIMED_OUT = 110
const FIRST_MULTICAST_LID = 0xc000
/** First packet sequence numbers differ from connection to connection, so that stale packets show. */
const PSN_STRIDE = 0x1357

/** An end of a connection, or one that listens for them: `rdma_cm_id` (rdma_cm.7). */
export class ConnectionIdentifier {
  readonly #agent: ConnectionAgent
  /** Where its events come. */
  readonly channel: EventChannel
  readonly space: PortSpace
  /** Its number at the device. */
  readonly number: number
  #state: State = 'idle'
  #port = 0
  #backlog = 0
  /** Requests taken and neither accepted nor rejected. */
  #pending = 0
  #listener: ConnectionIdentifier | undefined
  #queuePair: QueuePair | undefined
  #peerIndex = -1
  #remoteId = 0
  #peer: MailFields | undefined
  #negotiated = { responderReads: READS_DEFAULT, initiatorReads: READS_DEFAULT }
  #asked: Required<Omit<ConnectionParameters, 'privateData'>> | undefined
  #unacknowledged = 0
  readonly #groups: { gid: Uint8Array; localIdentifier: number }[] = []

  /** Made by `Device.createConnectionIdentifier`. */
  constructor(agent: ConnectionAgent, channel: EventChannel, space: PortSpace) {
    this.#agent = agent
    this.channel = channel
    this.space = space
    this.number = agent.register(this)
  }

  /** The new identifier that a request makes at the side that listens. */
  static requested(
    agent: ConnectionAgent,
    listener: ConnectionIdentifier,
    mail: Mail,
  ): ConnectionIdentifier {
    const id = new ConnectionIdentifier(agent, listener.channel, listener.space)
    id.#state = 'requested'
    id.#listener = listener
    listener.#pending++
    id.#peerIndex = mail.source
    id.#remoteId = mail.fields.localId
    id.#peer = mail.fields
    return id
  }

  get state(): State {
    return this.#state
  }

  get datagram(): boolean {
    return this.space === 'datagram'
  }

  /** Port it is bound to. */
  get port(): number {
    return this.#port
  }

  /** The queue pair made for it. */
  get queuePair(): QueuePair | undefined {
    return this.#queuePair
  }

  /** HCA index of the other side, -1 before it is known. */
  get peerIndex(): number {
    return this.#peerIndex
  }

  /** Whether it takes a further request. */
  get hasRoom(): boolean {
    return this.#state === 'listening' && this.#pending < this.#backlog
  }

  // ---- addresses and routes -------------------------------------------------------------------

  /** Binds it to a port of this device (rdma_bind_addr.3). */
  bindAddress(port: number): void {
    this.#demandState('idle')
    const fits = Number.isInteger(port) && port > 0 && port <= PORT_MAX
    demand(fits, `there is no port ${port}`)
    this.#port = port
    this.#state = 'bound'
  }

  /** Listens for requests, of which up to `backlog` may wait (rdma_listen.3). */
  listen(backlog = 16): void {
    this.#demandState('bound', 'listening')
    this.#agent.listen(this)
    this.#backlog = backlog
    this.#state = 'listening'
  }

  /** Finds where an address is: `addressResolved` or `addressError` follows (rdma_resolve_addr.3). */
  resolveAddress({ localIdentifier, globalIdentifier, port }: ServiceAddress): void {
    this.#demandState('idle', 'bound')
    const { i32 } = this.#agent.hca
    const index =
      globalIdentifier === undefined
        ? (localIdentifier ?? 0) - 1
        : indexOfGlobalIdentifier(globalIdentifier)
    if (!Number.isInteger(index) || index < 0 || index >= hcaCount(i32)) {
      return this.#agent.raise(this, 'addressError', { status: NO_SUCH_ADDRESS })
    }
    this.#peerIndex = index
    this.#port = port
    this.#state = 'addressResolved'
    this.#agent.raise(this, 'addressResolved')
  }

  /** Finds the way there: `routeResolved` or `routeError` follows (rdma_resolve_route.3). */
  resolveRoute(): void {
    this.#demandState('addressResolved')
    const { i32, block } = this.#agent.hca
    if (!isPathOpen(i32, block, block)) {
      return this.#agent.raise(this, 'routeError', { status: TIMED_OUT })
    }
    this.#state = 'routeResolved'
    this.#agent.raise(this, 'routeResolved')
  }

  /**
   * Makes its queue pair (rdma_create_qp.3): in state INIT, so that receives can be posted; for
   * datagrams ready to send.
   */
  createQueuePair(domain: ProtectionDomain, options: QueuePairOptions): QueuePair {
    demand(this.#queuePair === undefined, 'the connection has its queue pair')
    const service = this.datagram ? 'unreliableDatagram' : (options.service ?? 'reliableConnected')
    const queuePair = domain.createQueuePair({ ...options, service })
    if (this.datagram) {
      const queueKey = DATAGRAM_QUEUE_KEY
      queuePair.modify({ state: 'init', port: 1, partitionKeyIndex: 0, queueKey })
      queuePair.modify({ state: 'readyToReceive' })
      queuePair.modify({ state: 'readyToSend', sendPacketSequenceNumber: 0 })
    } else {
      const access = Access.remoteWrite | Access.remoteRead | Access.remoteAtomic
      queuePair.modify({ state: 'init', port: 1, partitionKeyIndex: 0, access })
    }
    this.#queuePair = queuePair
    return queuePair
  }

  // ---- connecting -----------------------------------------------------------------------------

  /**
   * Asks the other side (rdma_connect.3): `established`, `rejected` or `unreachable` follows;
   * `connectResponse` where there is no queue pair.
   */
  connect(parameters: ConnectionParameters = {}): void {
    this.#demandState('routeResolved')
    const limit = this.datagram ? PRIVATE_DATA_MAX.connectDatagram : PRIVATE_DATA_MAX.connect
    const privateData = checkPrivateData(parameters.privateData, limit)
    this.#asked = withDefaults(parameters)
    this.#state = 'connecting'
    const attribute = this.datagram ? SERVICE_REQUEST : CONNECT_REQUEST
    if (!this.#mail(attribute, { port: this.#port, ...this.#endFields() }, privateData)) {
      this.#state = 'routeResolved'
      this.#agent.raise(this, 'unreachable', { status: TIMED_OUT })
    }
  }

  /** Accepts a request (rdma_accept.3): `established` follows. */
  accept(parameters: ConnectionParameters = {}): void {
    this.#demandState('requested')
    const limit = this.datagram ? PRIVATE_DATA_MAX.acceptDatagram : PRIVATE_DATA_MAX.accept
    const privateData = checkPrivateData(parameters.privateData, limit)
    this.#asked = withDefaults(parameters)
    this.#leaveBacklog()
    if (this.datagram) {
      this.#state = 'established'
      this.#mail(SERVICE_REPLY, { ...this.#endFields(), queueKey: DATAGRAM_QUEUE_KEY }, privateData)
      return
    }
    this.#negotiate()
    this.#bringUp()
    this.#state = 'accepting'
    if (!this.#mail(CONNECT_REPLY, this.#endFields(), privateData)) {
      this.#fail('connectError', TIMED_OUT)
    }
  }

  /** Refuses a request (rdma_reject.3). */
  reject(privateData?: Uint8Array): void {
    this.#demandState('requested')
    const data = checkPrivateData(privateData, PRIVATE_DATA_MAX.reject)
    this.#leaveBacklog()
    this.#state = 'closed'
    this.#mail(this.datagram ? SERVICE_REPLY : CONNECT_REJECT, { reason: REASON_CONSUMER }, data)
  }

  /** Ends a connection (rdma_disconnect.3): both queue pairs go to ERR, `disconnected` at both sides. */
  disconnect(): void {
    this.#demandState('established', 'accepting')
    this.#breakQueuePair()
    this.#state = 'closing'
    if (!this.#mail(DISCONNECT_REQUEST, {})) this.#end()
  }

  /** Says that data have arrived before the other side's last word (rdma_notify.3, COMM_EST). */
  notifyEstablished(): void {
    if (this.#state === 'accepting') this.#establish({})
  }

  // ---- multicast ------------------------------------------------------------------------------

  /** Joins a group: `multicastJoin`, with its address and queue key, or `multicastError` follows. */
  joinMulticast(gid: Uint8Array): void {
    const queuePair = this.#queuePair
    demand(this.datagram && queuePair !== undefined, 'a group is joined with a datagram queue pair')
    const localIdentifier = FIRST_MULTICAST_LID | (gid[15]! & 0xff) | ((gid[14]! & 0x3f) << 8)
    queuePair.attachMulticast(gid, localIdentifier)
    this.#groups.push({ gid, localIdentifier })
    this.#agent.raise(this, 'multicastJoin', {
      address: {
        destinationLocalIdentifier: localIdentifier,
        global: { destinationGlobalIdentifier: gid },
      },
      queuePairNumber: 0xffffff,
      queueKey: DATAGRAM_QUEUE_KEY,
    })
  }

  /** Leaves a group. @throws {VerbsError} EINVAL: it is not in it */
  leaveMulticast(gid: Uint8Array): void {
    const index = this.#groups.findIndex((group) =>
      group.gid.every((byte, place) => byte === gid[place]),
    )
    demand(index >= 0, 'the connection is not in that group')
    const [group] = this.#groups.splice(index, 1)
    this.#queuePair!.detachMulticast(gid, group!.localIdentifier)
  }

  /**
   * Forgets it; its queue pair is destroyed by who made it.
   *
   * @throws {VerbsError} EBUSY: an event of it is not acknowledged
   */
  destroy(): void {
    demandUnused(this.#unacknowledged, 'the connection', 'events not acknowledged')
    if (this.#state === 'requested') this.#leaveBacklog()
    for (const { gid } of [...this.#groups]) this.leaveMulticast(gid)
    this.#agent.unregister(this)
    this.#state = 'closed'
  }

  /** Called by its events. */
  countEvent(change: number): void {
    this.#unacknowledged += change
  }

  // ---- what the other side says ---------------------------------------------------------------

  /** Called by the agent with a message for it. */
  receive({ attribute, fields, privateData }: Mail): void {
    switch (attribute) {
      case CONNECT_REPLY:
        return this.#receiveReply(fields, privateData)
      case SERVICE_REPLY:
        return this.#receiveServiceReply(fields, privateData)
      case READY_TO_USE:
        if (this.#state === 'accepting') this.#establish({})
        return
      case CONNECT_REJECT:
        if (this.#state !== 'connecting') return
        this.#state = 'routeResolved'
        return this.#agent.raise(this, 'rejected', { status: fields.reason, privateData })
      case DISCONNECT_REQUEST:
        this.#mail(DISCONNECT_REPLY, {})
        this.#breakQueuePair()
        return this.#end()
      case DISCONNECT_REPLY:
        return this.#end()
    }
  }

  #receiveReply(fields: MailFields, privateData: Uint8Array): void {
    if (this.#state !== 'connecting') return
    this.#remoteId = fields.localId
    this.#peer = fields
    this.#negotiate()
    if (this.#queuePair === undefined) {
      this.#state = 'accepting'
      return this.#agent.raise(this, 'connectResponse', { privateData })
    }
    this.#bringUp()
    this.#mail(READY_TO_USE, {})
    this.#establish({ privateData })
  }

  #receiveServiceReply(fields: MailFields, privateData: Uint8Array): void {
    if (this.#state !== 'connecting') return
    if (fields.reason !== 0) {
      // As the kernel reports a service that was refused.
      this.#state = 'routeResolved'
      return this.#agent.raise(this, 'unreachable', { status: fields.reason, privateData })
    }
    this.#state = 'established'
    this.#agent.raise(this, 'established', {
      privateData,
      address: { destinationLocalIdentifier: this.#peerIndex + 1 },
      queuePairNumber: fields.queuePairNumber,
      queueKey: fields.queueKey,
    })
  }

  #establish({ privateData }: { privateData?: Uint8Array }): void {
    this.#state = 'established'
    const { responderReads, initiatorReads } = this.#negotiated
    this.#agent.raise(this, 'established', {
      ...(privateData === undefined ? {} : { privateData }),
      ...{ responderResources: responderReads, initiatorDepth: initiatorReads },
    })
  }

  #end(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.#agent.raise(this, 'disconnected')
    this.#agent.raise(this, 'timeWaitExit')
  }

  #fail(name: 'connectError', status: number): void {
    this.#breakQueuePair()
    this.#state = 'closed'
    this.#agent.raise(this, name, { status })
  }

  // ---- helpers --------------------------------------------------------------------------------

  /** Each side has as many READs under way as it wants and the other takes. */
  #negotiate(): void {
    const { responderResources, initiatorDepth } = this.#asked!
    this.#negotiated = {
      responderReads: Math.min(responderResources, READS_MAX),
      initiatorReads: Math.min(initiatorDepth, this.#peer!.responderReads),
    }
  }

  #bringUp(): void {
    const queuePair = this.#queuePair
    demand(queuePair !== undefined, 'the connection has no queue pair')
    const peer = this.#peer!
    const { responderReads, initiatorReads } = this.#negotiated
    const asked = this.#asked!
    queuePair.modify({
      ...{ state: 'readyToReceive', destinationLocalIdentifier: this.#peerIndex + 1 },
      destinationQueuePairNumber: peer.queuePairNumber,
      receivePacketSequenceNumber: peer.packetSequenceNumber,
      pathMtuBytes: Math.min(peer.pathMtuBytes, this.#mtuBytes),
      // The field's default, which is a long time (655 ms): rdma_cm sets none.
      ...{ responderReadsMax: responderReads, receiverNotReadyTimer: 0 },
    })
    queuePair.modify({
      ...{ state: 'readyToSend', timeout: 14, retryCount: asked.retryCount },
      receiverNotReadyRetryCount: asked.receiverNotReadyRetryCount,
      sendPacketSequenceNumber: this.#psn,
      initiatorReadsMax: initiatorReads,
    })
  }

  get #mtuBytes(): number {
    const { i32, block } = this.#agent.hca
    return i32[(block + HCA_PORT_MTU_BYTES) >>> 2]!
  }

  get #psn(): number {
    return (this.number * PSN_STRIDE) & 0xffffff
  }

  /** What the other side has to know about this end. */
  #endFields(): Partial<MailFields> {
    const { responderResources, initiatorDepth, ...counts } = this.#asked!
    return {
      queuePairNumber: this.#queuePair?.number ?? 0,
      packetSequenceNumber: this.#psn,
      responderReads: responderResources,
      initiatorReads: initiatorDepth,
      ...counts,
      pathMtuBytes: this.#mtuBytes,
    }
  }

  #mail(attribute: number, fields: Partial<MailFields>, privateData?: Uint8Array): boolean {
    const { hca } = this.#agent
    const target = hcaAddress(hca.i32, this.#peerIndex)
    if (!isPathOpen(hca.i32, hca.block, target)) return false
    const ids = { localId: this.number, remoteId: this.#remoteId }
    return sendMail(hca, this.#peerIndex, attribute, { ...fields, ...ids }, privateData)
  }

  #breakQueuePair(): void {
    const queuePair = this.#queuePair
    if (queuePair === undefined || queuePair.destroyed || queuePair.state === 'reset') return
    queuePair.modify({ state: 'error' })
  }

  #leaveBacklog(): void {
    if (this.#listener !== undefined) this.#listener.#pending--
    this.#listener = undefined
  }

  #demandState(...states: State[]): void {
    demand(
      states.includes(this.#state),
      `not in state ${this.#state}; possible in ${states.join(', ')}`,
    )
  }
}

function withDefaults(parameters: ConnectionParameters) {
  return {
    responderResources: parameters.responderResources ?? READS_DEFAULT,
    initiatorDepth: parameters.initiatorDepth ?? READS_DEFAULT,
    retryCount: parameters.retryCount ?? 7,
    receiverNotReadyRetryCount: parameters.receiverNotReadyRetryCount ?? 7,
  }
}

/** @throws {VerbsError} EINVAL: longer than the step has room for */
function checkPrivateData(privateData: Uint8Array | undefined, most: number): Uint8Array {
  const data = privateData ?? new Uint8Array(0)
  demand(data.length <= most, `${data.length} bytes of private data, at most ${most} here`)
  return data
}
