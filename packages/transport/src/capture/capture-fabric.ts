import { type Fabric, type ManagementMessage, RECEIVER_NOT_READY } from '../fabric/fabric.js'
import type { Responder } from '../fabric/fabric.js'
import type { Hca } from '../hca/hca.js'
import { LOCAL_LENGTH_ERROR, LOCAL_QP_OPERATION_ERROR, SUCCESS } from '../wire/completion-status.js'
import { answerPackets } from './answer-packets.js'
import { ManagementRecorder } from './management-recorder.js'
import { messageBytes } from './message-bytes.js'
import type { RecordBuffer } from './pcap.js'
import { bringsData, carriesData, requestPackets, sequenceCount } from './request-packets.js'
import { pathBack, requestOf } from './request.js'
import { advance, Sequences } from './sequence.js'

const NO_DATA = new Uint8Array(0)
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
  readonly #management: ManagementRecorder

  constructor(
    inner: Fabric,
    records: RecordBuffer,
    options: { write: (records: Uint8Array) => void; now: () => bigint },
  ) {
    this.#inner = inner
    this.dataInOrder = inner.dataInOrder ?? false
    this.#records = records
    this.#management = new ManagementRecorder(records)
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

  /** Records what connection managers tell each other. */
  overhear(responder: Responder, destination: number, message: ManagementMessage): void {
    this.#management.record(this.#now(), responder.index, destination, message)
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
