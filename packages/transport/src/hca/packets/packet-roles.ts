import {
  ATOMIC_WRITE_REQUEST,
  COMPARE_SWAP_REQUEST,
  FETCH_ADD_REQUEST,
  FLUSH_REQUEST,
  READ_REQUEST,
} from '../../fabric/packets/packet.js'
import {
  SEND_FIRST,
  SEND_LAST,
  SEND_LAST_IMMEDIATE,
  SEND_LAST_INVALIDATE,
} from '../../fabric/packets/packet.js'
import {
  SEND_MIDDLE,
  SEND_ONLY,
  SEND_ONLY_IMMEDIATE,
  SEND_ONLY_INVALIDATE,
} from '../../fabric/packets/packet.js'
import {
  WRITE_FIRST,
  WRITE_LAST,
  WRITE_LAST_IMMEDIATE,
  WRITE_MIDDLE,
} from '../../fabric/packets/packet.js'
import { WRITE_ONLY, WRITE_ONLY_IMMEDIATE } from '../../fabric/packets/packet.js'

/** What part of which kind of message a request packet is. */
export interface PacketRole {
  readonly kind: 'send' | 'write' | 'read' | 'atomic' | 'flush' | 'unknown'
  readonly first: boolean
  readonly last: boolean
}

function role(kind: PacketRole['kind'], first: boolean, last: boolean): PacketRole {
  return { kind, first, last }
}

const roles: Readonly<Record<number, PacketRole>> = {
  [SEND_FIRST]: role('send', true, false),
  [SEND_MIDDLE]: role('send', false, false),
  [SEND_LAST]: role('send', false, true),
  [SEND_LAST_IMMEDIATE]: role('send', false, true),
  [SEND_LAST_INVALIDATE]: role('send', false, true),
  [SEND_ONLY]: role('send', true, true),
  [SEND_ONLY_IMMEDIATE]: role('send', true, true),
  [SEND_ONLY_INVALIDATE]: role('send', true, true),
  [WRITE_FIRST]: role('write', true, false),
  [WRITE_MIDDLE]: role('write', false, false),
  [WRITE_LAST]: role('write', false, true),
  [WRITE_LAST_IMMEDIATE]: role('write', false, true),
  [WRITE_ONLY]: role('write', true, true),
  [WRITE_ONLY_IMMEDIATE]: role('write', true, true),
  [READ_REQUEST]: role('read', true, true),
  [COMPARE_SWAP_REQUEST]: role('atomic', true, true),
  [FETCH_ADD_REQUEST]: role('atomic', true, true),
  [ATOMIC_WRITE_REQUEST]: role('atomic', true, true),
  [FLUSH_REQUEST]: role('flush', true, true),
}

const unknown = role('unknown', true, true)

/** The role of an operation of the base transport header; `unknown` for reserved ones. */
export function roleOf(operation: number): PacketRole {
  return roles[operation] ?? unknown
}
