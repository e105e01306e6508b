/**
 * Upper bounds of what a device creates (ibv_query_device.3), with the numbers of Soft-RoCE's
 * rxe_param.h where nothing here sets another. They are no promise that there is memory for it.
 */
export const DEVICE_LIMITS = {
  maxQueuePairs: 65_536,
  maxWorkRequests: 16_384,
  maxSegments: 16,
  maxReadSegments: 16,
  maxInlineBytes: 480,
  maxCompletionQueues: 16_384,
  maxCompletionQueueEntries: 1 << 20,
  maxMemoryRegions: 262_144,
  maxMemoryWindows: 262_144,
  maxMemoryRegionBytes: 2 ** 32 - 1,
  maxProtectionDomains: 0x7ffc,
  maxResponderReads: 128,
  maxInitiatorReads: 128,
  maxSharedReceiveQueues: 960,
  maxSharedReceiveQueueEntries: 1 << 20,
  maxSharedReceiveQueueSegments: 16,
  maxAddressHandles: 65_536,
  maxMulticastGroups: 8192,
  maxMulticastAttachments: 56,
  maxPartitionKeys: 8,
  completionVectors: 1,
  /** 4.096 us times 2 to this goes on top of the acknowledge timeout. */
  localAckDelay: 15,
  /** Longest message: 2 GiB. */
  maxMessageBytes: 2 ** 31,
} as const
