import type { PacketNetwork } from '../../fabric/packets/network.js'
import type { Packet } from '../../fabric/packets/packet.js'
import {
  ACKNOWLEDGE,
  addPsn,
  ATOMIC_ACKNOWLEDGE,
  ATOMIC_WRITE_REQUEST,
  COMPARE_SWAP_REQUEST,
} from '../../fabric/packets/packet.js'
import {
  FETCH_ADD_REQUEST,
  FLUSH_REQUEST,
  NAK_INVALID_REQUEST,
  NAK_REMOTE_ACCESS,
} from '../../fabric/packets/packet.js'
import {
  NAK_REMOTE_OPERATION,
  NAK_SEQUENCE,
  operationOf,
  psnDistance,
} from '../../fabric/packets/packet.js'
import {
  RC_PACKET,
  READ_REQUEST,
  READ_RESPONSE_FIRST,
  READ_RESPONSE_LAST,
} from '../../fabric/packets/packet.js'
import {
  READ_RESPONSE_MIDDLE,
  READ_RESPONSE_ONLY,
  serviceBitsOf,
} from '../../fabric/packets/packet.js'
import { SYNDROME_ACK, SYNDROME_NAK, SYNDROME_RNR } from '../../fabric/packets/packet.js'
import { TAKEN_AT_LIMIT, takeReceive } from '../../ring/receive-queue.js'
import { LOCAL_WRITE, REMOTE_ATOMIC, REMOTE_READ, REMOTE_WRITE } from '../../wire/access.js'
import { EVENT_QP_REQUEST_ERROR } from '../../wire/asynchronous-event.js'
import {
  COMPLETION_SOLICITED,
  COMPLETION_WITH_IMMEDIATE,
  COMPLETION_WITH_INVALIDATE,
} from '../../wire/completion-queue.js'
import {
  FLUSHED,
  LOCAL_ACCESS_ERROR,
  LOCAL_LENGTH_ERROR,
  LOCAL_PROTECTION_ERROR,
} from '../../wire/completion-status.js'
import {
  REMOTE_ACCESS_ERROR,
  REMOTE_INVALID_REQUEST,
  REMOTE_OPERATION_ERROR,
  SUCCESS,
} from '../../wire/completion-status.js'
import {
  CAUSE_MESSAGE_TOO_LONG,
  CAUSE_MISALIGNED,
  CAUSE_OPERATION_NOT_GRANTED,
} from '../../wire/error-cause.js'
import {
  CAUSE_OUT_OF_ORDER,
  CAUSE_PEER_INVALIDATE_REFUSED,
  CAUSE_PEER_RECEIVE_MEMORY,
} from '../../wire/error-cause.js'
import { CAUSE_REMOTE_KEY, CAUSE_TOO_MANY_READS } from '../../wire/error-cause.js'
import {
  COMPARE_AND_SWAP,
  COMPLETED_RECEIVE,
  COMPLETED_RECEIVE_RDMA_WITH_IMMEDIATE,
} from '../../wire/opcode.js'
import { FETCH_AND_ADD } from '../../wire/opcode.js'
import { QP_MIN_RNR_TIMER, QP_PATH_MTU_BYTES, QP_PEER_READS_MAX } from '../../wire/queue-pair.js'
import { QP_RECEIVE_PSN, QP_RECEIVE_RING, QP_STATE } from '../../wire/queue-pair.js'
import { receives, RESET } from '../../wire/queue-pair-state.js'
import { RECEIVE_DOMAIN } from '../../wire/receive-ring.js'
import { ATOMIC_BYTES, operateAtomically } from '../responder/atomic.js'
import { fail, pushReceived } from '../responder/deliver.js'
import { checkFlushed, flushRights, storeAtomically } from '../responder/placement.js'
import { enterError } from '../queue-pair/error-state.js'
import { completeFailedReceive } from '../responder/failed-receive.js'
import { raiseQueuePairEvent } from '../port/events.js'
import type { Hca } from '../hca.js'
import { establish } from '../responder/listening.js'
import { announceLimit } from '../requester/receiver-not-ready.js'
import { checkRegion, findValidRegion } from '../memory/region-table.js'
import { checkPeerRange, grants } from '../memory/remote-range.js'
import { invalidateKey } from '../memory/windows.js'
import { headerOf, psnCountOf } from './message-packets.js'
import { place } from './placement.js'
import type { Piece } from './placement.js'
import { roleOf } from './packet-roles.js'
import type { PacketRole } from './packet-roles.js'

/** A message that has begun and not ended. */
interface Message {
  readonly kind: 'send' | 'write'
  moved: number
  /** Of a WRITE: where to, and how much in all. */
  readonly remote?: NonNullable<Packet['remote']>
}

/** How long a READ waits for its turn to look at memory. */
const READ_TURN_NS = 100
/** Answers of atomics that are kept for requests that come again. */
const ORIGINALS_MAX = 128

/**
 * The responder's half of a connected queue pair in packets: which one is expected, the message that
 * is coming in, and what has been answered (IBA vol. 1, 9.7.4 and 9.8). The order of the checks is
 * that of hardware: sequence, operation, rights, receive, length, key.
 */
export class ReceiveFlow {
  readonly #hca: Hca
  readonly #queuePair: number
  readonly #network: PacketNetwork
  readonly #memory: Uint8Array
  readonly #unreliable: boolean
  #expected: number
  #messageNumber = 0
  /** A refusal was sent for the packet expected: what follows it is dropped without another. */
  #refused = false
  #message: Message | undefined
  /** The receive the message goes into, as words of its entry; kept for the next when it is dropped. */
  #receive: Uint32Array | undefined
  /** UC: the rest of a message of which a packet was lost. */
  #dropping = false
  /** READs that have not been answered. */
  #reads = 0
  readonly #originals = new Map<number, bigint>()
  /** Packets that wait until the bytes of one before them are in memory. */
  readonly #waiting: Packet[] = []
  #placing = false
  /** Answers leave in order: none before this. */
  #answerNs = 0

  constructor(hca: Hca, queuePair: number, network: PacketNetwork) {
    this.#hca = hca
    this.#queuePair = queuePair
    this.#network = network
    this.#memory = new Uint8Array(hca.i32.buffer)
    this.#unreliable = !hca.isReliable(queuePair)
    this.#expected = this.#at(QP_RECEIVE_PSN)
  }

  #at(word: number): number {
    return this.#hca.i32[(this.#queuePair + word) >>> 2]!
  }

  receive(packet: Packet): void {
    if (this.#placing) {
      this.#waiting.push(packet)
      return
    }
    const state = this.#at(QP_STATE)
    if (!receives(state)) return
    establish(this.#hca, this.#queuePair, state)
    if (serviceBitsOf(packet) === RC_PACKET) this.#receiveReliably(packet)
    else this.#receiveUnreliably(packet)
  }

  #receiveReliably(packet: Packet): void {
    const ahead = psnDistance(packet.psn, this.#expected)
    if (ahead < 0) return this.#repeat(packet)
    if (ahead > 0) {
      if (!this.#refused) this.#answer(this.#expected, SYNDROME_NAK | NAK_SEQUENCE)
      this.#refused = true
      return
    }
    this.#refused = false
    const role = roleOf(operationOf(packet))
    if (packet.refused && role.first) return this.#refuseReceive()
    this.#process(packet, role)
  }

  /** UC: a gap drops the message it is in; the next one that begins is taken again. */
  #receiveUnreliably(packet: Packet): void {
    const role = roleOf(operationOf(packet))
    if (role.first) {
      this.#dropping = false
      this.#message = undefined
    } else if (packet.psn !== this.#expected || this.#message === undefined) {
      this.#dropping = true
      this.#message = undefined
    }
    this.#expected = packet.psn
    if (this.#dropping) this.#expected = addPsn(packet.psn, 1)
    else this.#process(packet, role)
  }

  #process(packet: Packet, role: PacketRole): void {
    if (!this.#isInSequence(packet, role)) return this.#refuseOrder()
    switch (operationOf(packet)) {
      case READ_REQUEST:
        return this.#read(packet, true)
      case COMPARE_SWAP_REQUEST:
      case FETCH_ADD_REQUEST:
        return this.#operate(packet)
      case FLUSH_REQUEST:
        return this.#flush(packet)
      case ATOMIC_WRITE_REQUEST:
        return this.#writeAtomically(packet)
    }
    if (role.kind === 'write') this.#write(packet, role)
    else this.#take(packet, role)
  }

  /** First and last packets where a message begins and ends, and each as long as the path says. */
  #isInSequence(packet: Packet, role: PacketRole): boolean {
    if (role.kind === 'unknown' || role.first !== (this.#message === undefined)) return false
    if (!role.first && this.#message!.kind !== role.kind) return false
    const mtuBytes = this.#at(QP_PATH_MTU_BYTES)
    const { length } = packet.payload
    return role.last ? length <= mtuBytes : length === mtuBytes
  }

  #refuseOrder(): void {
    if (this.#unreliable) return this.#drop()
    const hca = this.#hca
    hca.cause = CAUSE_OUT_OF_ORDER
    this.#answer(this.#expected, SYNDROME_NAK | NAK_INVALID_REQUEST)
    this.#completeHeld(FLUSHED)
    enterError(hca, this.#queuePair, FLUSHED, 0, CAUSE_OUT_OF_ORDER)
    raiseQueuePairEvent(hca, this.#queuePair, EVENT_QP_REQUEST_ERROR)
  }

  /** UC: the message is dropped; its receive is there for the next. */
  #drop(): void {
    this.#dropping = true
    this.#message = undefined
    this.#expected = addPsn(this.#expected, 1)
  }

  // ---- SEND -----------------------------------------------------------------------------------

  #take(packet: Packet, role: PacketRole): void {
    if (role.first && !this.#obtainReceive()) return this.#refuseReceive()
    this.#message ??= { kind: 'send', moved: 0 }
    const message = this.#message
    const room = this.#receive![2]!
    if (message.moved + packet.payload.length > room) {
      if (this.#unreliable) return this.#drop()
      return this.#fail(CAUSE_MESSAGE_TOO_LONG, LOCAL_LENGTH_ERROR, REMOTE_INVALID_REQUEST)
    }
    const pieces = this.#receivePieces(message.moved, packet.payload)
    if (pieces === undefined) {
      return this.#fail(CAUSE_PEER_RECEIVE_MEMORY, LOCAL_PROTECTION_ERROR, REMOTE_OPERATION_ERROR)
    }
    message.moved += packet.payload.length
    this.#place(pieces, () => {
      if (role.last) this.#completeSend(packet, message.moved)
      else this.#advance(packet)
    })
  }

  #completeSend(packet: Packet, bytes: number): void {
    const hca = this.#hca
    const { invalidateKey: key } = packet
    if (key !== undefined && !invalidateKey(hca, hca.block, this.#queuePair, key)) {
      return this.#fail(
        CAUSE_PEER_INVALIDATE_REFUSED,
        REMOTE_INVALID_REQUEST,
        REMOTE_INVALID_REQUEST,
      )
    }
    this.#completeReceive(packet, COMPLETED_RECEIVE, bytes)
  }

  /** Where the payload goes in the receive, from byte `skip` of it on; undefined when it may not. */
  #receivePieces(skip: number, payload: Uint8Array): Piece[] | undefined {
    const { i32, u32, block } = this.#hca
    const words = this.#receive!
    const domain = u32[(u32[(this.#queuePair + QP_RECEIVE_RING) >>> 2]! + RECEIVE_DOMAIN) >>> 2]!
    const pieces: Piece[] = []
    let moved = 0
    for (let segment = 4; moved < payload.length; segment += 4) {
      const length = words[segment + 1]!
      const part = Math.min(Math.max(0, length - skip), payload.length - moved)
      const address = words[segment]! + skip
      skip = Math.max(0, skip - length)
      if (part === 0) continue
      const region = findValidRegion(i32, block, words[segment + 2]!)
      if (checkRegion(this.#hca, region, domain, address, part, LOCAL_WRITE) !== 0) return undefined
      pieces.push({ address, bytes: payload.subarray(moved, moved + part) })
      moved += part
    }
    return pieces
  }

  /** Takes a receive, unless one is left over from a message that was dropped. */
  #obtainReceive(): boolean {
    if (this.#receive !== undefined) return true
    const { i32, u32, taken } = this.#hca
    const ring = u32[(this.#queuePair + QP_RECEIVE_RING) >>> 2]!
    const outcome = takeReceive(i32, ring, taken)
    if (outcome === 0) return false
    if (outcome === TAKEN_AT_LIMIT) announceLimit(this.#hca, ring)
    this.#receive = taken.slice()
    return true
  }

  #refuseReceive(): void {
    if (this.#unreliable) return this.#drop()
    this.#answer(this.#expected, SYNDROME_RNR | this.#at(QP_MIN_RNR_TIMER))
    this.#refused = true
  }

  #completeReceive(packet: Packet, opcode: number, bytes: number): void {
    const hca = this.#hca
    let flags = packet.solicited ? COMPLETION_SOLICITED : 0
    if (packet.immediate !== undefined) flags |= COMPLETION_WITH_IMMEDIATE
    if (packet.invalidateKey !== undefined) flags |= COMPLETION_WITH_INVALIDATE
    const datum = packet.immediate ?? packet.invalidateKey ?? 0
    hca.taken.set(this.#receive!)
    this.#receive = undefined
    this.#message = undefined
    const outcome = pushReceived(
      ...([hca, this.#queuePair, opcode, flags, bytes, datum] as const),
      ...([this.#queuePair, packet.source] as const),
    )
    if (outcome === SUCCESS) return this.#advance(packet)
    this.#answer(this.#expected, SYNDROME_NAK | NAK_REMOTE_OPERATION)
  }

  // ---- WRITE ----------------------------------------------------------------------------------

  #write(packet: Packet, role: PacketRole): void {
    const hca = this.#hca
    if (role.first) {
      if (!grants(hca, this.#queuePair, REMOTE_WRITE)) return this.#refuseGrant()
      this.#message = { kind: 'write', moved: 0, remote: packet.remote! }
    }
    const message = this.#message!
    const remote = message.remote!
    const withImmediate = packet.immediate !== undefined
    if (withImmediate && !this.#obtainReceive()) {
      if (role.first) this.#message = undefined
      return this.#refuseReceive()
    }
    // The whole range at first, then what each packet writes: the key may be gone by now.
    const bytes = role.first ? remote.bytes : packet.payload.length
    const address = remote.address + message.moved
    if (bytes > 0) {
      const failed = checkPeerRange(hca, this.#queuePair, remote.key, address, bytes, REMOTE_WRITE)
      if (failed !== 0) return this.#refuseRange(failed, withImmediate)
    }
    const excess = message.moved + packet.payload.length
    if (excess > remote.bytes || (role.last && excess !== remote.bytes)) return this.#refuseOrder()
    const pieces =
      packet.payload.length === 0 ? [] : [{ address: hca.translated, bytes: packet.payload }]
    message.moved = excess
    this.#place(pieces, () => {
      if (withImmediate) {
        this.#completeReceive(packet, COMPLETED_RECEIVE_RDMA_WITH_IMMEDIATE, remote.bytes)
        return
      }
      if (role.last) this.#message = undefined
      this.#advance(packet)
    })
  }

  #refuseRange(failed: number, tookReceive: boolean): void {
    if (this.#unreliable) return this.#drop()
    const there = tookReceive ? LOCAL_ACCESS_ERROR : SUCCESS
    this.#fail(CAUSE_REMOTE_KEY + failed - 1, there, REMOTE_ACCESS_ERROR)
  }

  #refuseGrant(): void {
    if (this.#unreliable) return this.#drop()
    this.#fail(CAUSE_OPERATION_NOT_GRANTED, SUCCESS, REMOTE_INVALID_REQUEST)
  }

  // ---- READ and atomics -----------------------------------------------------------------------

  /** Answers a READ; one that comes again is carried out again. */
  #read(packet: Packet, fresh: boolean): void {
    const hca = this.#hca
    if (!grants(hca, this.#queuePair, REMOTE_READ)) return this.#refuseGrant()
    if (fresh && this.#reads >= this.#at(QP_PEER_READS_MAX)) return this.#refuseRead()
    const { address, key, bytes } = packet.remote!
    const failed =
      bytes === 0 ? 0 : checkPeerRange(hca, this.#queuePair, key, address, bytes, REMOTE_READ)
    if (failed !== 0) return this.#fail(CAUSE_REMOTE_KEY + failed - 1, SUCCESS, REMOTE_ACCESS_ERROR)
    const from = bytes === 0 ? 0 : hca.translated
    const mtuBytes = this.#at(QP_PATH_MTU_BYTES)
    const count = psnCountOf(bytes, mtuBytes)
    if (fresh) {
      this.#expected = addPsn(this.#expected, count)
      this.#messageNumber++
    }
    this.#reads++
    const { choices, time } = this.#network
    const early = (choices?.choose(2, 'read') ?? 0) === 0
    const seen = early ? this.#memory.slice(from, from + bytes) : undefined
    this.#answerNs = Math.max(time.nowNs, this.#answerNs) + READ_TURN_NS
    time.schedule(this.#answerNs - time.nowNs, () => {
      this.#reads--
      this.#respond(packet.psn, seen ?? this.#memory.slice(from, from + bytes), count, mtuBytes)
    })
  }

  #refuseRead(): void {
    this.#fail(CAUSE_TOO_MANY_READS, SUCCESS, REMOTE_INVALID_REQUEST)
  }

  #respond(psn: number, bytes: Uint8Array, count: number, mtuBytes: number): void {
    // What was accepted is answered, even where a later request has failed meanwhile.
    if (this.#at(QP_STATE) === RESET) return
    for (let index = 0; index < count; index++) {
      const [first, last] = [index === 0, index === count - 1]
      const middle = first ? READ_RESPONSE_FIRST : READ_RESPONSE_MIDDLE
      const end = first ? READ_RESPONSE_ONLY : READ_RESPONSE_LAST
      this.#network.send({
        ...headerOf(this.#hca, this.#queuePair),
        opcode: RC_PACKET | (last ? end : middle),
        psn: addPsn(psn, index),
        payload: bytes.slice(index * mtuBytes, (index + 1) * mtuBytes),
        ...(first || last ? { acknowledge: this.#acknowledgement(SYNDROME_ACK) } : {}),
      })
    }
  }

  #operate(packet: Packet): void {
    const hca = this.#hca
    if (!grants(hca, this.#queuePair, REMOTE_ATOMIC)) return this.#refuseGrant()
    if (this.#reads >= this.#at(QP_PEER_READS_MAX)) return this.#refuseRead()
    const { address, key } = packet.remote!
    if (address % ATOMIC_BYTES !== 0) {
      return this.#fail(CAUSE_MISALIGNED, SUCCESS, REMOTE_INVALID_REQUEST)
    }
    const failed = checkPeerRange(hca, this.#queuePair, key, address, ATOMIC_BYTES, REMOTE_ATOMIC)
    if (failed !== 0) return this.#fail(CAUSE_REMOTE_KEY + failed - 1, SUCCESS, REMOTE_ACCESS_ERROR)
    const { operand, compare } = packet.atomic!
    const swap = operationOf(packet) === COMPARE_SWAP_REQUEST
    const opcode = swap ? COMPARE_AND_SWAP : FETCH_AND_ADD
    const original = operateAtomically(hca, opcode, hca.translated, operand, compare)
    this.#originals.set(packet.psn, original)
    if (this.#originals.size > ORIGINALS_MAX) {
      this.#originals.delete(this.#originals.keys().next().value!)
    }
    this.#expected = addPsn(this.#expected, 1)
    this.#messageNumber++
    this.#answerOriginal(packet.psn, original)
  }

  /** FLUSH: what came before it is in memory by now. */
  #flush(packet: Packet): void {
    const hca = this.#hca
    const word = packet.flush!
    if (!grants(hca, this.#queuePair, flushRights(word))) return this.#refuseGrant()
    if (this.#reads >= this.#at(QP_PEER_READS_MAX)) return this.#refuseRead()
    const failed = checkFlushed(hca, this.#queuePair, { word, ...packet.remote! })
    if (failed !== 0) return this.#fail(CAUSE_REMOTE_KEY + failed - 1, SUCCESS, REMOTE_ACCESS_ERROR)
    this.#completeEmpty(packet)
  }

  #writeAtomically(packet: Packet): void {
    const hca = this.#hca
    const { address, key } = packet.remote!
    if (!grants(hca, this.#queuePair, REMOTE_WRITE)) return this.#refuseGrant()
    if (this.#reads >= this.#at(QP_PEER_READS_MAX)) return this.#refuseRead()
    if (packet.payload.length !== ATOMIC_BYTES) return this.#refuseOrder()
    if (address % ATOMIC_BYTES !== 0) {
      return this.#fail(CAUSE_MISALIGNED, SUCCESS, REMOTE_INVALID_REQUEST)
    }
    const failed = checkPeerRange(hca, this.#queuePair, key, address, ATOMIC_BYTES, REMOTE_WRITE)
    if (failed !== 0) return this.#fail(CAUSE_REMOTE_KEY + failed - 1, SUCCESS, REMOTE_ACCESS_ERROR)
    const { buffer, byteOffset } = packet.payload
    storeAtomically(hca, hca.translated, new DataView(buffer, byteOffset).getBigInt64(0, true))
    this.#completeEmpty(packet)
  }

  #completeEmpty(packet: Packet): void {
    this.#expected = addPsn(this.#expected, 1)
    this.#messageNumber++
    this.#answerEmpty(packet.psn)
  }

  /** An empty READ's answer, which FLUSH and ATOMIC WRITE have too. */
  #answerEmpty(psn: number): void {
    this.#later(() => {
      this.#network.send({
        ...headerOf(this.#hca, this.#queuePair),
        opcode: RC_PACKET | READ_RESPONSE_ONLY,
        psn,
        acknowledge: this.#acknowledgement(SYNDROME_ACK),
      })
    })
  }

  #answerOriginal(psn: number, original: bigint): void {
    this.#later(() => {
      this.#network.send({
        ...headerOf(this.#hca, this.#queuePair),
        opcode: RC_PACKET | ATOMIC_ACKNOWLEDGE,
        psn,
        acknowledge: this.#acknowledgement(SYNDROME_ACK),
        original,
      })
    })
  }

  /** A request that comes again, because its answer was lost: nothing is carried out twice but a READ. */
  #repeat(packet: Packet): void {
    const operation = operationOf(packet)
    if (operation === READ_REQUEST) return this.#read(packet, false)
    if (operation === FLUSH_REQUEST || operation === ATOMIC_WRITE_REQUEST) {
      return this.#answerEmpty(packet.psn)
    }
    if (operation === COMPARE_SWAP_REQUEST || operation === FETCH_ADD_REQUEST) {
      const original = this.#originals.get(packet.psn)
      if (original !== undefined) this.#answerOriginal(packet.psn, original)
      return
    }
    if (packet.acknowledgeRequest) this.#answer(packet.psn, SYNDROME_ACK)
  }

  // ---- the end of a packet --------------------------------------------------------------------

  #place(pieces: readonly Piece[], placed: () => void): void {
    this.#placing = true
    place(this.#network, this.#memory, pieces, () => {
      this.#placing = false
      if (receives(this.#at(QP_STATE))) placed()
      this.#goOn()
    })
  }

  /** Takes in the packets that came meanwhile. */
  #goOn(): void {
    while (!this.#placing) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.receive(next)
    }
  }

  #advance(packet: Packet): void {
    this.#expected = addPsn(packet.psn, 1)
    if (this.#message === undefined) this.#messageNumber++
    if (packet.acknowledgeRequest) this.#answer(packet.psn, SYNDROME_ACK)
  }

  /** Fails the request: the receive taken, if one was, the queue pair, and the requester. */
  #fail(cause: number, there: number, here: number): void {
    const hca = this.#hca
    hca.cause = cause
    const psn = this.#expected
    if (there !== SUCCESS) hca.taken.set(this.#receive!)
    else this.#completeHeld(FLUSHED)
    this.#receive = undefined
    fail(hca, this.#queuePair, there, here)
    this.#answer(psn, SYNDROME_NAK | (codes[here] ?? NAK_REMOTE_OPERATION))
  }

  /** A receive in hand when the queue pair fails for another reason is flushed like the rest. */
  #completeHeld(status: number): void {
    if (this.#receive === undefined) return
    const { taken } = this.#hca
    taken.set(this.#receive)
    this.#receive = undefined
    completeFailedReceive(this.#hca, this.#queuePair, status)
  }

  /** The queue pair has left its working states: a receive in hand goes with the others. */
  abandon(flushed: boolean): void {
    if (flushed) this.#completeHeld(FLUSHED)
    this.#receive = undefined
    this.#message = undefined
    this.#waiting.length = 0
  }

  #answer(psn: number, syndrome: number): void {
    if (this.#unreliable) return
    this.#later(() => {
      this.#network.send({
        ...headerOf(this.#hca, this.#queuePair),
        opcode: RC_PACKET | ACKNOWLEDGE,
        psn,
        acknowledge: this.#acknowledgement(syndrome),
      })
    })
  }

  /** Behind the answers of READs that wait for their turn. */
  #later(send: () => void): void {
    const { time } = this.#network
    if (this.#answerNs <= time.nowNs) send()
    else time.schedule(this.#answerNs - time.nowNs, send)
  }

  #acknowledgement(syndrome: number): NonNullable<Packet['acknowledge']> {
    return { syndrome, messageNumber: this.#messageNumber & 0xffffff }
  }
}

/** What a refusal says on the wire. */
const codes: Readonly<Record<number, number>> = {
  [REMOTE_INVALID_REQUEST]: NAK_INVALID_REQUEST,
  [REMOTE_ACCESS_ERROR]: NAK_REMOTE_ACCESS,
  [REMOTE_OPERATION_ERROR]: NAK_REMOTE_OPERATION,
}
