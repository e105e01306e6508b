import type { Hca } from '../hca/hca.js'
import { changePortState, PORT_ACTIVE, PORT_ARMED, PORT_DOWN, PORT_INIT } from '../hca/port/port.js'
import { demand } from '../hca/verbs-error.js'
import {
  HCA_PARTITION_KEY_COUNT,
  HCA_PARTITION_KEYS,
  HCA_PORT_BAD_PARTITION_KEYS,
} from '../wire/hca-block.js'
import { HCA_PORT_BAD_QUEUE_KEYS, HCA_PORT_LID, HCA_PORT_LMC } from '../wire/hca-block.js'
import { HCA_PORT_MTU_BYTES, HCA_PORT_STATE } from '../wire/hca-block.js'
import { DEVICE_LIMITS } from './device-limits.js'

/** States of a port, in the order of `ibv_port_state`. Data pass in state `active` only. */
export type PortState = 'nop' | 'down' | 'init' | 'armed' | 'active'
export type PhysicalPortState = 'polling' | 'disabled' | 'linkUp'

const stateNames: readonly PortState[] = ['nop', 'down', 'init', 'armed', 'active']
const stateNumbers = { down: PORT_DOWN, init: PORT_INIT, armed: PORT_ARMED, active: PORT_ACTIVE }

/** Bits per second of a lane, by name, as in `active_speed`. */
export const LANE_SPEEDS = {
  SDR: 2.5e9,
  DDR: 5e9,
  QDR: 10e9,
  FDR: 14e9,
  EDR: 25e9,
  HDR: 50e9,
  NDR: 100e9,
  XDR: 200e9,
} as const
export type LaneSpeed = keyof typeof LANE_SPEEDS

/** What `Device.queryPort` tells (ibv_query_port.3). */
export interface PortAttributes {
  readonly state: PortState
  readonly physicalState: PhysicalPortState
  readonly maxMtuBytes: number
  readonly activeMtuBytes: number
  /** Lanes of the link. */
  readonly activeWidth: 1 | 2 | 4 | 8 | 12
  readonly activeSpeed: LaneSpeed
  readonly localIdentifier: number
  /** The port answers to 2 to this many LIDs. */
  readonly lidMaskControl: number
  readonly globalIdentifierTableLength: number
  readonly partitionKeyTableLength: number
  readonly maxMessageBytes: number
  readonly badPartitionKeyCount: number
  readonly queueKeyViolationCount: number
  readonly subnetManagerLocalIdentifier: number
  readonly subnetManagerServiceLevel: number
  readonly subnetTimeout: number
  /** Virtual lanes that carry data. */
  readonly virtualLanes: number
  readonly linkLayer: 'infiniBand'
  /** Whether every address handle needs a global route header. */
  readonly globalRouteHeaderRequired: false
}

const MTU_BYTES_MAX = 4096

/** @throws {VerbsError} EINVAL: there is no such port */
export function queryPort(hca: Hca, port: number): PortAttributes {
  demandPort(port)
  const at = (word: number): number => Atomics.load(hca.i32, (hca.block + word) >>> 2) // other threads change it
  const state = stateNames[at(HCA_PORT_STATE)]!
  return {
    state,
    physicalState: state === 'down' ? 'disabled' : 'linkUp',
    maxMtuBytes: MTU_BYTES_MAX,
    activeMtuBytes: at(HCA_PORT_MTU_BYTES),
    activeWidth: 4,
    activeSpeed: 'EDR',
    localIdentifier: at(HCA_PORT_LID),
    lidMaskControl: at(HCA_PORT_LMC),
    globalIdentifierTableLength: 1,
    partitionKeyTableLength: HCA_PARTITION_KEY_COUNT,
    maxMessageBytes: DEVICE_LIMITS.maxMessageBytes,
    badPartitionKeyCount: at(HCA_PORT_BAD_PARTITION_KEYS),
    queueKeyViolationCount: at(HCA_PORT_BAD_QUEUE_KEYS),
    subnetManagerLocalIdentifier: 1,
    subnetManagerServiceLevel: 0,
    subnetTimeout: 18,
    virtualLanes: 1,
    linkLayer: 'infiniBand',
    globalRouteHeaderRequired: false,
  }
}

/** @throws {VerbsError} EINVAL: there is no such port */
export function demandPort(port: number): void {
  demand(port === 1, `the device has port 1 only, not ${port}`)
}

/** Changes the state of the own port, as pulling its cable, or the subnet manager, would. */
export function setPortState(hca: Hca, state: Exclude<PortState, 'nop'>): void {
  changePortState(hca, hca.block, stateNumbers[state])
}

/** @throws {VerbsError} EINVAL: beyond the table */
export function queryPartitionKey(hca: Hca, index: number): number {
  const fits = Number.isInteger(index) && index >= 0 && index < HCA_PARTITION_KEY_COUNT
  demand(fits, `there is no partition key ${index}`)
  return hca.i32[(hca.block + HCA_PARTITION_KEYS + index * 4) >>> 2]!
}

/** What the subnet manager does: puts a partition key into the port's table, 0 to take it away. */
export function setPartitionKey(hca: Hca, index: number, key: number): void {
  queryPartitionKey(hca, index)
  demand(
    Number.isInteger(key) && key >= 0 && key <= 0xffff,
    `a partition key has 16 bits, not ${key}`,
  )
  hca.i32[(hca.block + HCA_PARTITION_KEYS + index * 4) >>> 2] = key
}
