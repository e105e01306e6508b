import type { ChoiceStream } from '../../choice/choice-stream.js'
import type { ManagementMessage } from '../fabric.js'
import type { Packet } from './packet.js'
import type { VirtualTime } from './virtual-time.js'

/** An HCA's port, as packets see it. */
export interface PacketPort {
  /** Takes a packet in. */
  receive(packet: Packet): void
}

/** What became of a packet when it was sent. */
export type PacketFate = 'sent' | 'lost' | 'duplicated' | 'delayed' | 'corrupted'

/** Is told of every packet that is sent, and when: for captures and traces. */
export type PacketTap = (packet: Packet, fate: PacketFate, timeNs: number) => void

/** Is told of every message of connection managers, when it is sent. */
export type ManagementTap = (
  source: number,
  destination: number,
  message: ManagementMessage,
  timeNs: number,
) => void

/** What carries packets between ports, in virtual time. */
export interface PacketNetwork {
  readonly time: VirtualTime
  /** Whether the bytes of a message appear in order at the receiver. */
  readonly dataInOrder: boolean
  /** Draws what the specification leaves open; first come throughout when left out. */
  readonly choices: ChoiceStream | undefined
  attach(index: number, port: PacketPort): void
  send(packet: Packet): void
}
