import { ATOMIC_WRITE, FLUSH } from '../wire/opcode.js'
import { RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, SEND } from '../wire/opcode.js'
import { COMPARE_AND_SWAP, FETCH_AND_ADD, RDMA_READ } from '../wire/opcode.js'
import { SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE } from '../wire/opcode.js'
import {
  RELIABLE_CONNECTED,
  UNRELIABLE_CONNECTED,
  UNRELIABLE_DATAGRAM,
} from '../wire/service-type.js'

/** The service's three bits of a packet's opcode (IBA vol. 1, 9.2.1). */
const serviceBits: Readonly<Record<number, number>> = {
  [RELIABLE_CONNECTED]: 0x00,
  [UNRELIABLE_CONNECTED]: 0x20,
  [UNRELIABLE_DATAGRAM]: 0x60,
}

export const READ_RESPONSE_FIRST = 0x0d
export const READ_RESPONSE_MIDDLE = 0x0e
export const READ_RESPONSE_LAST = 0x0f
export const READ_RESPONSE_ONLY = 0x10
export const ACKNOWLEDGE = 0x11
export const ATOMIC_ACKNOWLEDGE = 0x12

/** Packets of a message of several: first, middle, last; and that of a message of one. */
type Row = readonly [first: number, middle: number, last: number, only: number]

const rows: Readonly<Record<number, Row>> = {
  [SEND]: [0x00, 0x01, 0x02, 0x04],
  [SEND_WITH_IMMEDIATE]: [0x00, 0x01, 0x03, 0x05],
  [SEND_WITH_INVALIDATE]: [0x00, 0x01, 0x16, 0x17],
  [RDMA_WRITE]: [0x06, 0x07, 0x08, 0x0a],
  [RDMA_WRITE_WITH_IMMEDIATE]: [0x06, 0x07, 0x09, 0x0b],
  [RDMA_READ]: [0x0c, 0x0c, 0x0c, 0x0c],
  [COMPARE_AND_SWAP]: [0x13, 0x13, 0x13, 0x13],
  [FETCH_AND_ADD]: [0x14, 0x14, 0x14, 0x14],
  [FLUSH]: [0x1c, 0x1c, 0x1c, 0x1c],
  [ATOMIC_WRITE]: [0x1d, 0x1d, 0x1d, 0x1d],
}

/** Opcode of packet `index` of the `count` packets of a request. */
export function requestOpcode(
  service: number,
  opcode: number,
  { index, count }: { index: number; count: number },
): number {
  // Datagrams that invalidate, and unreliable connected ones, have no code of their own.
  const known = service === RELIABLE_CONNECTED || opcode !== SEND_WITH_INVALIDATE
  const row = rows[known ? opcode : SEND]!
  return serviceBits[service]! | row[positionOf(index, count)]!
}

/** Opcode of packet `index` of the `count` packets that answer a READ. */
export function readResponseOpcode({ index, count }: { index: number; count: number }): number {
  return READ_RESPONSE_FIRST + positionOf(index, count)
}

/** 0 first, 1 middle, 2 last, 3 only. */
function positionOf(index: number, count: number): 0 | 1 | 2 | 3 {
  if (count === 1) return 3
  if (index === 0) return 0
  return index === count - 1 ? 2 : 1
}
