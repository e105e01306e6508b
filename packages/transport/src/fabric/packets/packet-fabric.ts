import type { ChoiceStream } from '../../choice/choice-stream.js'
import { RECEIVER_NOT_READY } from '../fabric.js'
import type { Fabric, ManagementMessage, Responder } from '../fabric.js'
import type { FaultJudge, FaultRule } from '../faults/fault.js'
import type { ManagementTap, PacketFate, PacketNetwork, PacketPort, PacketTap } from './network.js'
import type { Packet } from './packet.js'
import { malformed, packetBytes, packetLid, SEND_ONLY, UD_PACKET } from './packet.js'
import { VirtualTime } from './virtual-time.js'

/** What the links of a packet fabric are like. All have the same length and speed. */
export interface PacketFabricOptions {
  /** From port to port. Default 600. */
  latencyNs?: number
  /** Bytes that leave a port in a nanosecond. Default 12.5: 4x EDR. */
  bytesPerNs?: number
  /**
   * Whether the bytes of a message appear in order in memory. Default true; false lets them appear in
   * any order that `choices` draws, before their completion.
   */
  dataInOrder?: boolean
  /**
   * Draws what the specification leaves open: how packets of different queue pairs overtake each
   * other, when a READ looks at memory beside later requests, in which order bytes appear.
   */
  choices?: ChoiceStream
  /** Such as a `FaultPlan`. */
  faults?: FaultJudge
}

const LATENCY_NS = 600
const BYTES_PER_NS = 12.5
/** How much later than another queue pair's a packet may be, in latencies. */
const JITTER = 4

/**
 * A fabric that carries packets between the HCAs of one thread in virtual time: segmented by MTU,
 * numbered, acknowledged, sent again when lost. Requests posted are under way when the post call
 * returns; `run`, or `step`, lets time pass.
 *
 * @example
 * const fabric = new PacketFabric({ faults })
 * const devices = [0, 1].map((index) => Device.open(memory, index, fabric))
 * queuePair.postSend({ opcode: 'send', segments, signaled: true })
 * fabric.run()
 */
export class PacketFabric implements Fabric, PacketNetwork {
  readonly mapsMemory = false
  readonly dataInOrder: boolean
  readonly choices: ChoiceStream | undefined
  readonly time = new VirtualTime()
  readonly #latencyNs: number
  readonly #bytesPerNs: number
  readonly #faults: FaultJudge | undefined
  readonly #ports = new Map<number, PacketPort>()
  readonly #responders = new Map<number, Responder>()
  readonly #taps: PacketTap[] = []
  readonly #managementTaps: ManagementTap[] = []
  /** When each port has sent what it was given. */
  readonly #freeNs = new Map<number, number>()
  /** When the last packet from one queue pair to another arrives: they do not overtake each other. */
  readonly #arrivalNs = new Map<string, number>()

  constructor(options: PacketFabricOptions = {}) {
    this.#latencyNs = options.latencyNs ?? LATENCY_NS
    this.#bytesPerNs = options.bytesPerNs ?? BYTES_PER_NS
    this.dataInOrder = options.dataInOrder ?? true
    this.choices = options.choices
    this.#faults = options.faults
  }

  /** Requests are carried in packets by whoever joins. */
  get network(): PacketNetwork {
    return this
  }

  join(responder: Responder): void {
    this.#responders.set(responder.index, responder)
  }

  /** Takes the requests of a queue pair up; they complete while time passes. */
  carry(responder: Responder, queuePair: number): number {
    responder.driveInPackets(queuePair)
    return RECEIVER_NOT_READY
  }

  attach(index: number, port: PacketPort): void {
    this.#ports.set(index, port)
  }

  /** A management message takes the time of the datagram that it stands for. */
  convey(source: number, destination: number, deliver: () => void): void {
    const arrivalNs = this.#arrival(managementPacket(source, destination), [])
    this.time.schedule(arrivalNs - this.time.nowNs, deliver)
  }

  /** Is told of every packet from now on. */
  tap(listener: PacketTap): void {
    this.#taps.push(listener)
  }

  overhear(responder: Responder, destination: number, message: ManagementMessage): void {
    for (const tap of this.#managementTaps) {
      tap(responder.index, destination, message, this.time.nowNs)
    }
  }

  /** Is told of every message of connection managers from now on. */
  tapManagement(listener: ManagementTap): void {
    this.#managementTaps.push(listener)
  }

  /** Lets the next thing happen; false when there is nothing. */
  step(): boolean {
    return this.time.step()
  }

  /** Lets time pass until nothing is under way, or for so long. */
  run(forNs?: number): void {
    this.time.run(forNs)
  }

  send(packet: Packet): void {
    const striking = this.#judge(packet)
    for (const { fault } of striking) {
      if (fault === 'malformed') packet = malformed(packet)
      if (fault === 'receiverNotReady') packet = { ...packet, refused: true }
    }
    const fate = fateOf(striking)
    for (const tap of this.#taps) tap(packet, fate, this.time.nowNs)
    const arrivalNs = this.#arrival(packet, striking)
    if (fate === 'lost' || fate === 'corrupted') return
    this.#deliver(packet, arrivalNs)
    if (fate === 'duplicated') this.#deliver(packet, arrivalNs + this.#latencyNs)
  }

  #judge(packet: Packet): readonly FaultRule[] {
    if (this.#faults === undefined) return []
    const { source, destination, opcode, psn, destinationNumber: queuePairNumber } = packet
    const destinationLocalIdentifier = packetLid(packet)
    const rules = this.#faults.judge({
      ...{ source, destination, destinationLocalIdentifier, opcode, psn, queuePairNumber },
    })
    for (const rule of rules) {
      if (!('hca' in rule)) continue
      this.#responders.get(rule.hca)?.suffer(rule)
      if (rule.fault === 'linkFlap') this.#restoreLater(rule)
    }
    return rules
  }

  #restoreLater(rule: FaultRule & { hca: number; forNs?: number }): void {
    const restore = { ...rule, fault: 'portUp' } as const
    this.time.schedule(rule.forNs ?? 0, () => this.#responders.get(rule.hca)?.suffer(restore))
  }

  #deliver(packet: Packet, arrivalNs: number): void {
    this.time.schedule(arrivalNs - this.time.nowNs, () => {
      this.#ports.get(packet.destination)?.receive(packet)
    })
  }

  #arrival(packet: Packet, striking: readonly FaultRule[]): number {
    const start = Math.max(this.time.nowNs, this.#freeNs.get(packet.source) ?? 0)
    const sent = start + packetBytes(packet) / this.#bytesPerNs
    this.#freeNs.set(packet.source, sent)
    const jitter = this.choices?.choose(JITTER, 'deliver') ?? 0
    const arrival = sent + this.#latencyNs * (1 + jitter)
    const delay = striking.find(({ fault }) => fault === 'delay')
    // A packet that is late by a fault may be overtaken by those behind it.
    if (delay !== undefined && 'delayNs' in delay) return arrival + delay.delayNs!
    if (delay !== undefined) return arrival + 8 * this.#latencyNs
    const flow = `${packet.source} ${packet.sourceNumber} ${packet.destination} ${packet.destinationNumber}`
    const held = striking.reduce(
      (sum, rule) => (rule.fault === 'hold' ? sum + (rule.delayNs ?? 0) : sum),
      arrival,
    )
    const inOrder = Math.max(held, this.#arrivalNs.get(flow) ?? 0)
    this.#arrivalNs.set(flow, inOrder)
    return inOrder
  }
}

/** A datagram between the queue pairs 1 of two HCAs (IBA vol. 1, 13.4.2: 256 bytes). */
function managementPacket(source: number, destination: number): Packet {
  return {
    ...{
      opcode: UD_PACKET | SEND_ONLY,
      source,
      destination,
      sourceNumber: 1,
      destinationNumber: 1,
    },
    ...{ partitionKey: 0xffff, psn: 0, acknowledgeRequest: false, solicited: false },
    payload: new Uint8Array(256),
    datagram: { queueKey: 0x8001_0000, handle: new Uint8Array(0) },
  }
}

function fateOf(striking: readonly FaultRule[]): PacketFate {
  const has = (fault: FaultRule['fault']): boolean => striking.some((rule) => rule.fault === fault)
  if (has('loss')) return 'lost'
  if (has('corruption')) return 'corrupted'
  if (has('duplicate')) return 'duplicated'
  return has('delay') || has('hold') ? 'delayed' : 'sent'
}
