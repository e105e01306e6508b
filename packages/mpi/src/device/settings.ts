/** Sizes of a rank's endpoint, equal on all ranks of a world. */
export interface EndpointSettings {
  /** Largest payload that goes eagerly. */
  readonly eagerLimitBytes: number
  /** Eager bytes that a rank may have under way to one peer. */
  readonly creditBytes: number
  /** Buffers posted to the shared receive queue. */
  readonly receives: number
  /** Buffers for sends through queue pairs. */
  readonly sends: number
  /** Requests that a queue pair holds. */
  readonly sendEntries: number
  /** RDMA READs under way at once. */
  readonly reads: number
  /** Peers that may have a polled ring into this rank. */
  readonly rings: number
}

/** Ranks up to which every endpoint is generous. */
const FEW_RANKS = 64
/** Eager limit where the world does not say otherwise. */
export const DEFAULT_EAGER_LIMIT_BYTES = 4096
const LARGE_WORLD_EAGER_LIMIT_BYTES = 1024

/**
 * Memory grows with ranks, not with pairs: a large world gets small endpoints.
 *
 * @param rings whether hot peers may get polled rings: not where a choice stream orders deliveries
 */
export function endpointSettings(options: {
  ranks: number
  eagerLimitBytes?: number
  rings: boolean
}): EndpointSettings {
  const few = options.ranks <= FEW_RANKS
  const eagerLimitBytes =
    options.eagerLimitBytes ?? (few ? DEFAULT_EAGER_LIMIT_BYTES : LARGE_WORLD_EAGER_LIMIT_BYTES)
  return {
    eagerLimitBytes,
    creditBytes: Math.max(few ? 256 * 1024 : 16 * 1024, 4 * eagerLimitBytes),
    receives: few ? 64 : 16,
    sends: few ? 32 : 8,
    sendEntries: few ? 128 : 32,
    reads: few ? 64 : 16,
    rings: options.rings ? 32 : 0,
  }
}
