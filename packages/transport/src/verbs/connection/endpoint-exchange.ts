import {
  formatGlobalIdentifier,
  parseGlobalIdentifier,
} from '../../hca/datagram/global-identifier.js'
import { demand } from '../../hca/verbs-error.js'
import type { AccessFlags } from '../access.js'
import type { Device } from '../device.js'
import type { QueuePair } from '../queue-pair.js'

/** What each side tells the other, by whatever way, before their queue pairs can talk. */
export interface Endpoint {
  localIdentifier: number
  queuePairNumber: number
  /** The first packet sequence number it sends. */
  packetSequenceNumber: number
  globalIdentifier: Uint8Array
}

const LID_DIGITS = 4
const NUMBER_DIGITS = 6

/** Describes the own end of a connection to be. */
export function describeEndpoint(
  device: Device,
  queuePair: QueuePair,
  packetSequenceNumber: number,
): Endpoint {
  return {
    localIdentifier: device.localIdentifier,
    queuePairNumber: queuePair.number,
    packetSequenceNumber,
    globalIdentifier: device.globalIdentifier,
  }
}

/** An endpoint as text, in the form that ibv_rc_pingpong sends: `0001:000011:0a1b2c:fe80:...`. */
export function formatEndpoint(endpoint: Endpoint): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')
  return [
    hex(endpoint.localIdentifier, LID_DIGITS),
    hex(endpoint.queuePairNumber, NUMBER_DIGITS),
    hex(endpoint.packetSequenceNumber, NUMBER_DIGITS),
    formatGlobalIdentifier(endpoint.globalIdentifier),
  ].join(':')
}

/** Reads what `formatEndpoint` writes. @throws {VerbsError} EINVAL: it is something else */
export function parseEndpoint(text: string): Endpoint {
  const match = /^([0-9a-f]{4}):([0-9a-f]{6}):([0-9a-f]{6}):(.+)$/i.exec(text)
  const globalIdentifier = match?.[4] === undefined ? undefined : parseGlobalIdentifier(match[4])
  demand(match !== null && globalIdentifier !== undefined, `not an endpoint: ${text}`)
  return {
    localIdentifier: parseInt(match[1]!, 16),
    queuePairNumber: parseInt(match[2]!, 16),
    packetSequenceNumber: parseInt(match[3]!, 16),
    globalIdentifier,
  }
}

/**
 * Brings a connected queue pair up to RTS towards the other side, with the values of
 * ibv_rc_pingpong. Both sides should be there before either sends.
 */
export function connectEndpoints(
  queuePair: QueuePair,
  own: Endpoint,
  other: Endpoint,
  access: AccessFlags,
): void {
  const reliable = queuePair.service === 'reliableConnected'
  if (queuePair.state === 'reset') {
    queuePair.modify({ state: 'init', port: 1, partitionKeyIndex: 0, access })
  }
  queuePair.modify({
    state: 'readyToReceive',
    destinationLocalIdentifier: other.localIdentifier,
    destinationQueuePairNumber: other.queuePairNumber,
    receivePacketSequenceNumber: other.packetSequenceNumber,
    pathMtuBytes: 1024,
    ...(reliable ? { responderReadsMax: 1, receiverNotReadyTimer: 12 } : {}),
  })
  queuePair.modify({
    state: 'readyToSend',
    sendPacketSequenceNumber: own.packetSequenceNumber,
    ...(reliable
      ? { timeout: 14, retryCount: 7, receiverNotReadyRetryCount: 7, initiatorReadsMax: 1 }
      : {}),
  })
}
