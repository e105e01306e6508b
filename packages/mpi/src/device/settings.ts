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
  /** What a rank can publish in one collective without others reaching into its buffers. */
  readonly slotBytes: number
}

/** Threads up to which every endpoint is generous. */
const FEW_RANKS = 64
/** Coroutines from which on each has next to nothing of its own. */
const MANY_RANKS = 1024
/** Eager limit where the world does not say otherwise. */
export const DEFAULT_EAGER_LIMIT_BYTES = 4096
const SMALL_EAGER_LIMIT_BYTES = 1024

/**
 * Memory grows with ranks, not with pairs: a large world gets small endpoints, and so do coroutines,
 * whose worlds are made by the thousand.
 */
export function endpointSettings(options: {
  ranks: number
  eagerLimitBytes?: number
  mode: 'parallel' | 'serial' | 'coroutine'
}): EndpointSettings {
  const few = options.ranks <= FEW_RANKS && options.mode !== 'coroutine'
  const many = options.ranks > MANY_RANKS
  const eagerLimitBytes =
    options.eagerLimitBytes ?? (few ? DEFAULT_EAGER_LIMIT_BYTES : SMALL_EAGER_LIMIT_BYTES)
  return {
    eagerLimitBytes,
    creditBytes: Math.max(few ? 256 * 1024 : 16 * 1024, 4 * eagerLimitBytes),
    receives: few ? 64 : many ? 4 : 16,
    sends: few ? 32 : many ? 2 : 8,
    sendEntries: few ? 128 : many ? 4 : 32,
    reads: few ? 64 : many ? 4 : 16,
    // Where a choice stream orders deliveries, everything goes by the shared receive queue.
    rings: options.mode === 'parallel' ? 32 : 0,
    slotBytes: few ? 1024 : 512,
  }
}
