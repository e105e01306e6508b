import type { Hca } from '../hca/hca.js'
import { REMOTE_ACCESS_ERROR, REMOTE_INVALID_REQUEST } from '../wire/completion-status.js'
import { REMOTE_OPERATION_ERROR, RNR_RETRY_EXCEEDED, SUCCESS } from '../wire/completion-status.js'
import { CAUSE_MESSAGE_TOO_LONG } from '../wire/error-cause.js'
import { ATOMIC_WRITE, FLUSH, RDMA_READ } from '../wire/opcode.js'
import { QP_MIN_RNR_TIMER, QP_PEER } from '../wire/queue-pair.js'
import { RELIABLE_CONNECTED } from '../wire/service-type.js'
import { ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE, readResponseOpcode } from './packet-opcode.js'
import {
  ACKNOWLEDGED,
  NOT_READY,
  type Packet,
  REFUSED_ACCESS,
  REFUSED_INVALID_REQUEST,
  REFUSED_OPERATION,
  SEQUENCE_MASK,
} from './packet.js'
import { carriesData, sequenceCount } from './request-packets.js'
import type { CapturedRequest } from './request.js'
import type { Position } from './sequence.js'

const refusals: Readonly<Record<number, number>> = {
  [REMOTE_INVALID_REQUEST]: REFUSED_INVALID_REQUEST,
  [REMOTE_ACCESS_ERROR]: REFUSED_ACCESS,
  [REMOTE_OPERATION_ERROR]: REFUSED_OPERATION,
}

/**
 * The packets that answer a request: an acknowledgement, what was read, what an atomic found, or a
 * refusal that names the first packet which could not be taken (IBA vol. 1, 9.7.5). Nothing answers
 * an unreliable service, nor does a peer that is not there.
 *
 * @param data what was read, or the eight bytes that an atomic found
 */
export function* answerPackets(
  hca: Hca,
  request: CapturedRequest,
  outcome: number,
  position: Position,
  data: Uint8Array,
): Iterable<Packet> {
  if (request.service !== RELIABLE_CONNECTED) return
  const first = position.next
  const count = sequenceCount(request)
  if (outcome !== SUCCESS) {
    const syndrome = syndromeOf(hca, request, outcome)
    if (syndrome === undefined) return
    const sequence = (first + refusedPacket(hca, request)) & SEQUENCE_MASK
    const acknowledgement = { syndrome, messages: position.messages }
    yield { opcode: ACKNOWLEDGE, sequence, acknowledgement }
    return
  }
  const acknowledgement = {
    syndrome: ACKNOWLEDGED,
    messages: (position.messages + 1) & SEQUENCE_MASK,
  }
  if (answeredAsRead.has(request.opcode)) {
    yield* readResponses(request, first, count, acknowledgement, data)
  } else if (carriesData(request)) {
    yield { opcode: ACKNOWLEDGE, sequence: (first + count - 1) & SEQUENCE_MASK, acknowledgement }
  } else {
    const original = new DataView(data.buffer, data.byteOffset).getBigInt64(0, true)
    yield { opcode: ATOMIC_ACKNOWLEDGE, sequence: first, acknowledgement, original }
  }
}

/** FLUSH and ATOMIC WRITE are answered as an empty READ (IBA vol. 1, A19.4). */
const answeredAsRead: ReadonlySet<number> = new Set([RDMA_READ, FLUSH, ATOMIC_WRITE])

function* readResponses(
  { mtuBytes }: CapturedRequest,
  first: number,
  count: number,
  acknowledgement: Packet['acknowledgement'],
  data: Uint8Array,
): Iterable<Packet> {
  for (let index = 0; index < count; index++) {
    const middle = index > 0 && index < count - 1
    yield {
      opcode: readResponseOpcode({ index, count }),
      sequence: (first + index) & SEQUENCE_MASK,
      acknowledgement: middle ? undefined : acknowledgement,
      payload: data.subarray(index * mtuBytes, (index + 1) * mtuBytes),
    }
  }
}

function syndromeOf(
  { i32 }: Hca,
  { queuePair }: CapturedRequest,
  outcome: number,
): number | undefined {
  if (outcome !== RNR_RETRY_EXCEEDED) return refusals[outcome]
  const peer = i32[(queuePair + QP_PEER) >>> 2]! >>> 0
  return NOT_READY | (i32[(peer + QP_MIN_RNR_TIMER) >>> 2]! & 0x1f)
}

/** Which packet of a message is the first that the receive has no room for; 0 of all others. */
function refusedPacket(hca: Hca, request: CapturedRequest): number {
  if (hca.cause !== CAUSE_MESSAGE_TOO_LONG) return 0
  return Math.min(Math.floor(hca.taken[2]! / request.mtuBytes), sequenceCount(request) - 1)
}
