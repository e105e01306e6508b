import type { PacketNetwork } from '../../fabric/packets/network.js'
import type { Packet } from '../../fabric/packets/packet.js'
import {
  ACKNOWLEDGE,
  addPsn,
  ATOMIC_ACKNOWLEDGE,
  NAK_INVALID_REQUEST,
} from '../../fabric/packets/packet.js'
import {
  NAK_REMOTE_ACCESS,
  NAK_REMOTE_OPERATION,
  NAK_SEQUENCE,
  operationOf,
} from '../../fabric/packets/packet.js'
import { READ_RESPONSE_LAST, READ_RESPONSE_ONLY } from '../../fabric/packets/packet.js'
import { psnDistance, SYNDROME_NAK, SYNDROME_RNR } from '../../fabric/packets/packet.js'
import { SYNDROME_RNR_END } from '../../fabric/packets/packet.js'
import type { Timer } from '../../fabric/packets/virtual-time.js'
import { sendEntryAt, sendsDone, sendsPosted } from '../../ring/work-queue.js'
import {
  BAD_RESPONSE,
  LOCAL_PROTECTION_ERROR,
  LOCAL_QP_OPERATION_ERROR,
} from '../../wire/completion-status.js'
import {
  REMOTE_ACCESS_ERROR,
  REMOTE_INVALID_REQUEST,
  REMOTE_OPERATION_ERROR,
} from '../../wire/completion-status.js'
import { RETRY_EXCEEDED, RNR_RETRY_EXCEEDED, SUCCESS } from '../../wire/completion-status.js'
import {
  CAUSE_BAD_RESPONSE,
  CAUSE_LOCAL_KEY,
  CAUSE_NO_ANSWER,
  CAUSE_NO_RECEIVE,
} from '../../wire/error-cause.js'
import {
  CAUSE_NONE,
  CAUSE_NOT_OF_SERVICE,
  CAUSE_OPERATION_NOT_GRANTED,
} from '../../wire/error-cause.js'
import { CAUSE_PEER_RECEIVE_MEMORY, CAUSE_REMOTE_KEY } from '../../wire/error-cause.js'
import { FLUSH, RDMA_READ } from '../../wire/opcode.js'
import {
  QP_PATH_MTU_BYTES,
  QP_READS_MAX,
  QP_RETRY_COUNT,
  QP_RNR_RETRY,
} from '../../wire/queue-pair.js'
import { QP_SEND_PSN, QP_SERVICE, QP_STATE, QP_TIMEOUT } from '../../wire/queue-pair.js'
import { DRAINED, READY_TO_SEND } from '../../wire/queue-pair-state.js'
import { RELIABLE_CONNECTED, UNRELIABLE_DATAGRAM } from '../../wire/service-type.js'
import { FENCE, SEGMENT_ADDRESS, WQE_CONTROL, WQE_SEGMENTS } from '../../wire/work-queue-entry.js'
import { storeResult } from '../responder/atomic.js'
import type { Hca } from '../hca.js'
import { carryLocally } from '../requester/local-operation.js'
import { hasOperation } from '../operations.js'
import { checkSegments, completeSend, noticeDrained } from '../requester/requester.js'
import { acknowledgeTimeoutNs, receiverNotReadyDelayNs } from '../port/timers.js'
import { migrate } from '../queue-pair/path-migration.js'
import { sendDatagramPackets } from './datagram-packets.js'
import {
  awaitsOriginal,
  awaitsResponse,
  messageBytes,
  packetsOf,
  psnCountOf,
  scatterBytes,
} from './message-packets.js'
import type { StartedRequest } from './message-packets.js'

/** Packets that may be under way without an acknowledgement (RXE_MAX_UNACKED_PSNS). */
const UNACKNOWLEDGED_MAX = 128
const FOR_EVER = 7

/**
 * The requester's half of a queue pair in packets: which requests are under way, what has been
 * acknowledged, and the two timers (IBA vol. 1, 9.7: Reliable service).
 */
export class SendFlow {
  readonly #hca: Hca
  readonly #queuePair: number
  readonly #network: PacketNetwork
  /** Requests under way, oldest first. */
  readonly #requests: StartedRequest[] = []
  /** Number of the next request to start. */
  #started: number
  #nextPsn: number
  /** First packet sequence number that is not acknowledged. */
  #unacknowledged: number
  #retries: number
  #rnrRetries: number
  #timer: Timer | undefined
  /** Set while the peer asked to wait for a receive. */
  #pause: Timer | undefined
  #closed = false
  #driving = false

  constructor(hca: Hca, queuePair: number, network: PacketNetwork) {
    this.#hca = hca
    this.#queuePair = queuePair
    this.#network = network
    this.#started = sendsDone(hca.i32, queuePair)
    this.#nextPsn = this.#at(QP_SEND_PSN)
    this.#unacknowledged = this.#nextPsn
    this.#retries = this.#at(QP_RETRY_COUNT)
    this.#rnrRetries = this.#at(QP_RNR_RETRY)
  }

  get started(): number {
    return this.#started
  }

  /** Nothing of it happens any more. */
  close(): void {
    this.#closed = true
    this.#timer?.cancel()
    this.#pause?.cancel()
  }

  /** Starts what may be started, and completes what is done. */
  drive(): void {
    if (this.#driving) return
    this.#driving = true
    // What completed by itself, at the head of the queue, was never started here.
    const done = sendsDone(this.#hca.i32, this.#queuePair)
    if (((done - this.#started) | 0) > 0) this.#started = done
    this.#complete()
    while (this.#mayStart()) {
      this.#start(this.#started++)
      this.#complete()
    }
    this.#driving = false
    if (!this.#closed) noticeDrained(this.#hca, this.#queuePair)
  }

  /** Whether requests under way still count: in the error state they are flushed by who sees it. */
  get #working(): boolean {
    const state = this.#at(QP_STATE)
    return !this.#closed && (state === READY_TO_SEND || state === DRAINED)
  }

  #at(word: number): number {
    return this.#hca.i32[(this.#queuePair + word) >>> 2]!
  }

  // ---- starting -------------------------------------------------------------------------------

  #mayStart(): boolean {
    const { i32 } = this.#hca
    if (this.#closed || this.#pause !== undefined || this.#at(QP_STATE) !== READY_TO_SEND)
      return false
    if (this.#started === sendsPosted(i32, this.#queuePair)) return false
    // Behind a request that has failed nothing is started.
    if (this.#requests.some(({ status }) => status !== SUCCESS)) return false
    if (psnDistance(this.#nextPsn, this.#unacknowledged) >= UNACKNOWLEDGED_MAX) return false
    const entry = sendEntryAt(i32, this.#queuePair, this.#started)
    const control = i32[(entry + WQE_CONTROL) >>> 2]!
    const reads = this.#requests.filter(
      (request) => awaitsResponse(request) && !request.done,
    ).length
    if ((control & (FENCE << 8)) !== 0 && reads > 0) return false
    const readsMax = this.#at(QP_READS_MAX)
    return !awaitsResponse({ opcode: control & 0xff }) || readsMax === 0 || reads < readsMax
  }

  #start(place: number): void {
    const hca = this.#hca
    const entry = sendEntryAt(hca.i32, this.#queuePair, place)
    const opcode = hca.i32[(entry + WQE_CONTROL) >>> 2]! & 0xff
    const bytes = messageBytes(hca, entry)
    const request: StartedRequest = {
      ...{ place, entry, opcode, bytes, firstPsn: this.#nextPsn, cause: CAUSE_NONE },
      psnCount: opcode === FLUSH ? 1 : psnCountOf(bytes, this.#at(QP_PATH_MTU_BYTES) || 1),
      ...{ done: false, status: SUCCESS, responses: 0 },
    }
    this.#requests.push(request)
    const failed = checkSegments(hca, this.#queuePair, entry)
    if (failed < 0)
      return this.#finish(request, carryLocally(hca, this.#queuePair, entry), hca.cause)
    if (failed > 0)
      return this.#finish(request, LOCAL_PROTECTION_ERROR, CAUSE_LOCAL_KEY + failed - 1)
    const service = this.#at(QP_SERVICE)
    const impossible = awaitsResponse(request) && this.#at(QP_READS_MAX) === 0
    if (impossible || !hasOperation(service, opcode)) {
      return this.#finish(request, LOCAL_QP_OPERATION_ERROR, CAUSE_NOT_OF_SERVICE)
    }
    if (service === UNRELIABLE_DATAGRAM) {
      const status = sendDatagramPackets(hca, this.#queuePair, entry, this.#network, this.#nextPsn)
      this.#nextPsn = addPsn(this.#nextPsn, 1)
      this.#unacknowledged = this.#nextPsn
      return this.#finish(request, status, hca.cause)
    }
    this.#nextPsn = addPsn(this.#nextPsn, request.psnCount)
    for (const packet of packetsOf(hca, this.#queuePair, request, 0)) this.#network.send(packet)
    if (service === RELIABLE_CONNECTED) return this.#startTimer()
    this.#unacknowledged = this.#nextPsn
    this.#finish(request, SUCCESS, CAUSE_NONE) // it has left; nobody says whether it arrives
  }

  #finish(request: StartedRequest, status: number, cause: number): void {
    request.done = true
    request.status = status
    request.cause = cause
  }

  /** Completes requests that are done, in order. */
  #complete(): void {
    while (this.#working && this.#requests[0]?.done === true) {
      const { entry, status, cause } = this.#requests.shift()!
      this.#hca.cause = cause
      completeSend(this.#hca, this.#queuePair, entry, status)
      if (status !== SUCCESS) this.#abandonRest()
    }
  }

  /** A request has failed: those behind it are flushed by who sees the state. */
  #abandonRest(): void {
    this.#requests.length = 0
    this.#timer?.cancel()
  }

  // ---- answers --------------------------------------------------------------------------------

  receive(packet: Packet): void {
    if (!this.#working) return
    const operation = operationOf(packet)
    if (operation === ACKNOWLEDGE) this.#acknowledge(packet)
    else this.#takeAnswer(packet, operation)
    this.drive()
  }

  #acknowledge({ psn, acknowledge }: Packet): void {
    const { syndrome } = acknowledge!
    // A stray one, about requests of before, or never sent.
    if (psnDistance(psn, this.#unacknowledged) < 0 || psnDistance(psn, this.#nextPsn) >= 0) return
    if (syndrome < SYNDROME_RNR) {
      this.#confirm(addPsn(psn, 1))
      return
    }
    if (!this.#confirm(psn)) return
    if (syndrome < SYNDROME_RNR_END) return this.#waitForReceive(syndrome - SYNDROME_RNR)
    if (syndrome === (SYNDROME_NAK | NAK_SEQUENCE)) return this.#retry()
    const request = this.#requestAt(psn)
    if (request === undefined) return
    // What is no refusal either is a code that nobody has given a meaning.
    const [status, cause] = refusals[syndrome - SYNDROME_NAK] ?? [BAD_RESPONSE, CAUSE_BAD_RESPONSE]
    this.#finish(request, status, cause)
  }

  /**
   * Everything before `psn` is acknowledged. A READ or an atomic among it whose answer is missing was
   * answered, and the answer lost: it is asked for again.
   *
   * @returns whether nothing was missing
   */
  #confirm(psn: number): boolean {
    let progressed = false
    for (const request of this.#requests) {
      const end = addPsn(request.firstPsn, request.psnCount)
      if (request.done) continue
      if (psnDistance(psn, request.firstPsn) <= 0) break
      if (awaitsResponse(request)) {
        this.#retryOnce(request)
        return false
      }
      if (psnDistance(psn, end) < 0) break
      this.#finish(request, SUCCESS, CAUSE_NONE)
      progressed = true
    }
    if (psnDistance(psn, this.#unacknowledged) > 0) {
      this.#unacknowledged = psn
      progressed = true
    }
    if (progressed) this.#renew()
    return true
  }

  /** An answer that is more than an acknowledgement: of a READ, an atomic, a FLUSH. */
  #takeAnswer(packet: Packet, operation: number): void {
    const request = this.#requestAt(packet.psn)
    if (request === undefined || request.done) return
    const index = psnDistance(packet.psn, request.firstPsn)
    if (index < request.responses) return // again
    if (awaitsResponse(request) && index > request.responses) return this.#retryOnce(request)
    if (!this.#confirmBefore(request)) return
    if (!answers(operation, request, index) || !this.#fits(packet, request, index)) {
      return this.#finish(request, BAD_RESPONSE, CAUSE_BAD_RESPONSE)
    }
    const failed = checkSegments(this.#hca, this.#queuePair, request.entry)
    if (failed > 0) {
      return this.#finish(request, LOCAL_PROTECTION_ERROR, CAUSE_LOCAL_KEY + failed - 1)
    }
    this.#store(packet, request, index)
    request.responses++
    this.#unacknowledged = addPsn(packet.psn, 1)
    if (request.responses === request.psnCount) this.#finish(request, SUCCESS, CAUSE_NONE)
    this.#renew()
  }

  /** Whether an answer is as long as it has to be. */
  #fits({ payload }: Packet, { opcode, bytes }: StartedRequest, index: number): boolean {
    if (opcode !== RDMA_READ) return payload.length === 0
    const mtuBytes = this.#at(QP_PATH_MTU_BYTES)
    return payload.length === Math.min(mtuBytes, bytes - index * mtuBytes)
  }

  #store({ payload, original }: Packet, request: StartedRequest, index: number): void {
    const hca = this.#hca
    if (awaitsOriginal(request)) {
      storeResult(hca, hca.u32[(request.entry + WQE_SEGMENTS + SEGMENT_ADDRESS) >>> 2]!, original!)
    } else if (request.opcode === RDMA_READ) {
      scatterBytes(hca, request.entry, index * this.#at(QP_PATH_MTU_BYTES), payload)
    }
  }

  /** The answer of a request acknowledges everything before it. */
  #confirmBefore(request: StartedRequest): boolean {
    const already = psnDistance(request.firstPsn, this.#unacknowledged) <= 0
    return already || this.#confirm(request.firstPsn)
  }

  #requestAt(psn: number): StartedRequest | undefined {
    return this.#requests.find(({ firstPsn, psnCount }) => {
      const index = psnDistance(psn, firstPsn)
      return index >= 0 && index < psnCount
    })
  }

  // ---- trying again ---------------------------------------------------------------------------

  /** Progress: the counters begin anew, and the timer. */
  #renew(): void {
    this.#retries = this.#at(QP_RETRY_COUNT)
    this.#rnrRetries = this.#at(QP_RNR_RETRY)
    this.#startTimer()
  }

  #startTimer(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    const timeoutNs = acknowledgeTimeoutNs(this.#at(QP_TIMEOUT))
    if (this.#requests.every(({ done }) => done) || timeoutNs === Infinity) return
    this.#timer = this.#network.time.schedule(timeoutNs, () => {
      this.#retry()
      this.drive()
    })
  }

  /** An answer is missing that was sent: asked for again once, until something new comes. */
  #retryOnce(request: StartedRequest): void {
    if (this.#gapAt === request && this.#gapFrom === request.responses) return
    this.#gapAt = request
    this.#gapFrom = request.responses
    this.#retry()
  }
  #gapAt: StartedRequest | undefined
  #gapFrom = 0

  #retry(): void {
    const request = this.#requests.find(({ done }) => !done)
    if (request === undefined || !this.#working) return
    if (this.#retries === 0 && !this.#migrate()) {
      this.#finish(request, RETRY_EXCEEDED, CAUSE_NO_ANSWER)
      return
    }
    this.#retries--
    this.#sendAgain()
  }

  /** The path has failed: by the alternate one all retries are there again. */
  #migrate(): boolean {
    if (!migrate(this.#hca, this.#queuePair)) return false
    this.#retries = this.#at(QP_RETRY_COUNT) + 1
    return true
  }

  #waitForReceive(code: number): void {
    const request = this.#requests.find(({ done }) => !done)
    if (request === undefined || this.#pause !== undefined) return
    if (this.#at(QP_RNR_RETRY) !== FOR_EVER) {
      if (this.#rnrRetries === 0) {
        return this.#finish(request, RNR_RETRY_EXCEEDED, CAUSE_NO_RECEIVE)
      }
      this.#rnrRetries--
    }
    this.#timer?.cancel()
    this.#timer = undefined
    this.#pause = this.#network.time.schedule(receiverNotReadyDelayNs(code), () => {
      this.#pause = undefined
      this.#sendAgain()
      this.drive()
    })
  }

  /** Sends everything again that is not acknowledged. */
  #sendAgain(): void {
    if (!this.#working) return
    for (const request of this.#requests) {
      if (request.done) continue
      const acknowledged = Math.max(0, psnDistance(this.#unacknowledged, request.firstPsn))
      const from = awaitsResponse(request) ? request.responses : acknowledged
      for (const packet of packetsOf(this.#hca, this.#queuePair, request, from)) {
        this.#network.send(packet)
      }
    }
    this.#startTimer()
  }
}

/**
 * Whether an operation answers packet `index` of a request. Where a READ's first packet lies depends on
 * what was asked for again, its last one's place does not.
 */
function answers(operation: number, request: StartedRequest, index: number): boolean {
  if (!awaitsResponse(request)) return false
  if (awaitsOriginal(request)) return operation === ATOMIC_ACKNOWLEDGE
  const end = operation === READ_RESPONSE_LAST || operation === READ_RESPONSE_ONLY
  return operation !== ATOMIC_ACKNOWLEDGE && end === (index === request.psnCount - 1)
}

/** Status and cause of each refusal that an acknowledgement brings. */
const refusals: Readonly<Record<number, readonly [number, number]>> = {
  [NAK_INVALID_REQUEST]: [REMOTE_INVALID_REQUEST, CAUSE_OPERATION_NOT_GRANTED],
  [NAK_REMOTE_ACCESS]: [REMOTE_ACCESS_ERROR, CAUSE_REMOTE_KEY],
  [NAK_REMOTE_OPERATION]: [REMOTE_OPERATION_ERROR, CAUSE_PEER_RECEIVE_MEMORY],
}
