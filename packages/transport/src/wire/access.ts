/** The HCA may write the region: receives, READ and atomic results. */
export const LOCAL_WRITE = 1
/** Peers may RDMA WRITE; needs `LOCAL_WRITE`. */
export const REMOTE_WRITE = 2
/** Peers may RDMA READ. */
export const REMOTE_READ = 4
/** Peers may carry out atomics; needs `LOCAL_WRITE`. */
export const REMOTE_ATOMIC = 8
/** Memory windows may be bound to the region. */
export const WINDOW_BIND = 16
/** Addresses count from 0 at the region's first byte. */
export const ZERO_BASED = 32
/** On-demand paging, which no HCA here offers. */
export const ON_DEMAND = 64
/** Peers may FLUSH what was written so that all see it. */
export const FLUSH_GLOBAL = 256
/** Peers may FLUSH what was written so that it outlasts a loss of power. */
export const FLUSH_PERSISTENT = 512
/** A hint that writes need not land in order. */
export const RELAXED_ORDERING = 1 << 20
/** Any of the rights that need a remote key. */
export const REMOTE_ANY =
  REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC | FLUSH_GLOBAL | FLUSH_PERSISTENT
/** All flags a queue pair may be given. */
export const QUEUE_PAIR_ACCESS_ALL = LOCAL_WRITE | REMOTE_ANY
/** All flags a region may be registered with. */
export const REGION_ACCESS_ALL =
  LOCAL_WRITE | REMOTE_ANY | WINDOW_BIND | ZERO_BASED | RELAXED_ORDERING
