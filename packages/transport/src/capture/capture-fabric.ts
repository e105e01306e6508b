import { type Fabric, type ManagementMessage, RECEIVER_NOT_READY } from '../fabric/fabric.js'
import type { Responder } from '../fabric/fabric.js'
import type { Hca } from '../hca/hca.js'
import { LOCAL_LENGTH_ERROR, LOCAL_QP_OPERATION_ERROR, SUCCESS } from '../wire/completion-status.js'
import { answerPackets } from './answer-packets.js'
import { managementDatagram } from './management-datagram.js'
import { messageBytes } from './message-bytes.js'
import { SEQUENCE_MASK } from './packet.js'
import type { RecordBuffer } from './pcap.js'
import { bringsData, carriesData, requestPackets, sequenceCount } from './request-packets.js'
import { pathBack, requestOf } from './request.js'
import { advance, Sequences } from './sequence.js'

const NO_DATA = new Uint8Array(0)
/** The queue pair of management, and the key of its datagrams (IBA vol. 1, 3.9.8 and 10.2.4). */
const GENERAL_SERVICES = 1
const GENERAL_SERVICES_KEY = 0x8001_0000
/** Opcode of a datagram: UD SEND Only. */
const DATAGRAM = 0x64

/** Outcomes of requests of which nothing has left the HCA, or not yet. */
const STAYED: ReadonlySet<number> = new Set([
  RECEIVER_NOT_READY,
  LOCAL_LENGTH_ERROR,
  LOCAL_QP_OPERATION_ERROR,
])

/**
 * A fabric that records what crosses another: the packets in which hardware would have carried each
 * request, and those that answer it. The requester's thread sees both, since it does the responder's
 * half as well. A request that waits for a receive has not left; it is recorded when it goes.
 *
 * Memory of peers is not mapped: what crosses is to cross in packets.
 */
export class CaptureFabric implements Fabric {
  readonly mapsMemory = false
  readonly dataInOrder: boolean
  readonly #inner: Fabric
  readonly #records: RecordBuffer
  readonly #write: (records: Uint8Array) => void
  readonly #now: () => bigint
  readonly #sequences = new Map<number, Sequences>()
  /** Of the queue pair 1 of each HCA. */
  readonly #managementSequences = new Map<number, number>()

  constructor(
    inner: Fabric,
    records: RecordBuffer,
    options: { write: (records: Uint8Array) => void; now: () => bigint },
  ) {
    this.#inner = inner
    this.dataInOrder = inner.dataInOrder ?? false
    this.#records = records
    this.#write = options.write
    this.#now = options.now
  }

  join(responder: Responder): void {
    this.#inner.join?.(responder)
  }

  carry(responder: Responder, queuePair: number, entry: number): number {
    const hca = responder as Hca
    const records = this.#records
    const request = requestOf(hca, queuePair, entry)
    const position = this.#sequencesOf(hca.index).of(hca, queuePair)
    // Before it is carried out: it may write to where its own bytes lie.
    const sent = carriesData(request) ? messageBytes(hca, request) : NO_DATA
    const time = this.#now()
    for (const packet of requestPackets(hca, request, position.next, sent)) {
      records.add(time, request.path, packet)
    }
    const outcome = this.#inner.carry(responder, queuePair, entry)
    if (STAYED.has(outcome)) {
      records.discard()
      return outcome
    }
    const arrived = outcome === SUCCESS
    const data = arrived && bringsData(request) ? messageBytes(hca, request) : NO_DATA
    const back = pathBack(hca, request)
    const later = this.#now()
    for (const packet of answerPackets(hca, request, outcome, position, data)) {
      records.add(later, back, packet)
    }
    advance(position, sequenceCount(request), arrived)
    // At once, so that nothing is lost however the thread ends.
    this.#write(records.take())
    return outcome
  }

  /** Records what connection managers tell each other, as datagrams between their queue pairs 1. */
  overhear(responder: Responder, destination: number, message: ManagementMessage): void {
    const path = {
      sourceIdentifier: responder.index + 1,
      destinationIdentifier: destination + 1,
      serviceLevel: 0,
      partitionKey: 0xffff,
      destinationNumber: GENERAL_SERVICES,
    }
    const sequence = this.#managementSequences.get(responder.index) ?? 0
    this.#managementSequences.set(responder.index, (sequence + 1) & SEQUENCE_MASK)
    this.#records.add(this.#now(), path, {
      opcode: DATAGRAM,
      sequence,
      datagram: { queueKey: GENERAL_SERVICES_KEY, sourceNumber: GENERAL_SERVICES },
      payload: managementDatagram(message, responder.index, destination),
    })
    this.#write(this.#records.take())
  }

  #sequencesOf(index: number): Sequences {
    let sequences = this.#sequences.get(index)
    if (sequences === undefined) {
      sequences = new Sequences()
      this.#sequences.set(index, sequences)
    }
    return sequences
  }
}
