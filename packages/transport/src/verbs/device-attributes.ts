import type { DEVICE_LIMITS } from './device-limits.js'

/** What a device can do beyond the basics: names for the bits of `device_cap_flags`. */
export const DEVICE_CAPABILITIES = [
  'resizeWorkRequests',
  'automaticPathMigration',
  'portActiveEvent',
  'systemImageGuid',
  'receiverNotReadyGeneration',
  'sharedReceiveQueueResize',
  'memoryWindow',
  'memoryManagementExtensions',
  'memoryWindowType2B',
  'flushGlobal',
  'flushPersistent',
  'atomicWrite',
] as const
export type DeviceCapability = (typeof DEVICE_CAPABILITIES)[number]

/**
 * How far atomics of the device are indivisible: `hca` among those of one HCA, `global` against the
 * program's own `Atomics` on the same memory as well.
 */
export type AtomicCapability = 'none' | 'hca' | 'global'

/** What may be relied upon about the order in which bytes of a message appear in memory. */
export type DataInOrder = 'none' | 'wholeMessage'

/** What `Device.query` tells (ibv_query_device.3, ibv_query_device_ex.3). */
export interface DeviceAttributes {
  readonly limits: typeof DEVICE_LIMITS
  /** 64 bits, unique in the world. */
  readonly nodeGuid: bigint
  /** Equal for all HCAs of a world, which are one chassis. */
  readonly systemImageGuid: bigint
  readonly physicalPortCount: number
  readonly atomicCapability: AtomicCapability
  readonly capabilities: readonly DeviceCapability[]
  /** On-demand paging is not offered: no implicit region of the whole address space. */
  readonly onDemandPaging: false
  /** Extended reliable connections (XRC) are not offered. */
  readonly extendedReliableConnection: false
  /** Shared receive queues that match tags are not offered. */
  readonly tagMatching: false
  readonly firmwareVersion: string
}
