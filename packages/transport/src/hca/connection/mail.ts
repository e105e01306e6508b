import { lock, unlock } from '../../ring/spin-lock.js'
import { HCA_EVENT_LOCK, HCA_FAILED, HCA_MAIL_HEAD, HCA_MAIL_TAIL } from '../../wire/hca-block.js'
import { HCA_OPEN, HCA_PORT_STATE } from '../../wire/hca-block.js'
import {
  MESSAGE_ATTRIBUTE,
  MESSAGE_BYTES,
  MESSAGE_FIELD_COUNT,
} from '../../wire/management-message.js'
import {
  MESSAGE_FIELDS,
  MESSAGE_NEXT,
  MESSAGE_PRIVATE_LENGTH,
} from '../../wire/management-message.js'
import { MESSAGE_SOURCE } from '../../wire/management-message.js'
import { summonOwner } from '../port/events.js'
import type { Hca } from '../hca.js'
import { hcaAddress, hcaCount } from '../hca-table.js'
import { PORT_ACTIVE } from '../port/port.js'

/** A management message. What it does not need of the fields is 0. */
export interface Mail {
  readonly attribute: number
  /** HCA index of the sender. */
  readonly source: number
  readonly fields: MailFields
  readonly privateData: Uint8Array
}

/** Fields of a management message, each a word, in the order they are stored in. */
export interface MailFields {
  /** Number of the sender's connection, and of the receiver's as far as it is known. */
  localId: number
  remoteId: number
  /** Service port that is asked for. */
  port: number
  queuePairNumber: number
  packetSequenceNumber: number
  responderReads: number
  initiatorReads: number
  retryCount: number
  receiverNotReadyRetryCount: number
  queueKey: number
  /** Why something was refused; 0 when it was not. */
  reason: number
  pathMtuBytes: number
}

const names: readonly (keyof MailFields)[] = [
  ...(['localId', 'remoteId', 'port', 'queuePairNumber', 'packetSequenceNumber'] as const),
  ...(['responderReads', 'initiatorReads', 'retryCount', 'receiverNotReadyRetryCount'] as const),
  ...(['queueKey', 'reason', 'pathMtuBytes'] as const),
]

/** Sends a management message; false when the HCA cannot be reached. Any thread. */
export function sendMail(
  hca: Hca,
  destination: number,
  attribute: number,
  fields: Partial<MailFields>,
  privateData: Uint8Array = new Uint8Array(0),
): boolean {
  const { i32, heap } = hca
  if (destination < 0 || destination >= hcaCount(i32)) return false
  const block = hcaAddress(i32, destination)
  if (!answers(i32, hca.block) || !answers(i32, block)) return false
  const message = heap.allocate(MESSAGE_BYTES + privateData.length)
  i32[(message + MESSAGE_ATTRIBUTE) >>> 2] = attribute
  i32[(message + MESSAGE_SOURCE) >>> 2] = hca.index
  for (const [index, name] of names.slice(0, MESSAGE_FIELD_COUNT).entries()) {
    i32[((message + MESSAGE_FIELDS) >>> 2) + index] = fields[name] ?? 0
  }
  i32[(message + MESSAGE_PRIVATE_LENGTH) >>> 2] = privateData.length
  new Uint8Array(i32.buffer).set(privateData, message + MESSAGE_BYTES)
  hca.fabric.overhear?.(hca, destination, { attribute, fields, privateData })
  const { fabric } = hca
  if (fabric.convey === undefined) deliver(hca, block, message)
  else fabric.convey(hca.index, destination, () => deliver(hca, block, message))
  return true
}

/** Puts a message into the mailbox of the HCA at `block`. */
function deliver(hca: Hca, block: number, message: number): void {
  const { i32 } = hca
  lock(i32, block + HCA_EVENT_LOCK)
  const tail = i32[(block + HCA_MAIL_TAIL) >>> 2]! >>> 0
  if (tail === 0) i32[(block + HCA_MAIL_HEAD) >>> 2] = message
  else i32[(tail + MESSAGE_NEXT) >>> 2] = message
  i32[(block + HCA_MAIL_TAIL) >>> 2] = message
  unlock(i32, block + HCA_EVENT_LOCK)
  summonOwner(hca, block)
}

/** Whether a device is open there, and its port passes data. */
function answers(i32: Int32Array, block: number): boolean {
  const open = Atomics.load(i32, (block + HCA_OPEN) >>> 2) === 1 // any of these may change at any time
  const active = Atomics.load(i32, (block + HCA_PORT_STATE) >>> 2) === PORT_ACTIVE // as above
  return open && active && Atomics.load(i32, (block + HCA_FAILED) >>> 2) === 0 // as above
}

/** Takes all messages that have come, oldest first. The owner. */
export function takeMail(hca: Hca): Mail[] {
  const { i32, u32, heap, block } = hca
  if (u32[(block + HCA_MAIL_HEAD) >>> 2] === 0) return []
  lock(i32, block + HCA_EVENT_LOCK)
  let message = u32[(block + HCA_MAIL_HEAD) >>> 2]!
  i32[(block + HCA_MAIL_HEAD) >>> 2] = 0
  i32[(block + HCA_MAIL_TAIL) >>> 2] = 0
  unlock(i32, block + HCA_EVENT_LOCK)
  const mail: Mail[] = []
  while (message !== 0) {
    mail.push(read(hca, message))
    const next = u32[(message + MESSAGE_NEXT) >>> 2]!
    heap.free(message)
    message = next
  }
  return mail
}

function read({ i32 }: Hca, message: number): Mail {
  const start = message + MESSAGE_BYTES
  const length = i32[(message + MESSAGE_PRIVATE_LENGTH) >>> 2]!
  const first = (message + MESSAGE_FIELDS) >>> 2
  const entries = names.map((name, index) => [name, i32[first + index]!] as const)
  return {
    attribute: i32[(message + MESSAGE_ATTRIBUTE) >>> 2]!,
    source: i32[(message + MESSAGE_SOURCE) >>> 2]!,
    fields: Object.fromEntries(entries) as unknown as MailFields,
    privateData: new Uint8Array(i32.buffer).slice(start, start + length),
  }
}
