import { FLUSH_GLOBAL, FLUSH_PERSISTENT } from '../wire/access.js'
import { LOCAL_WRITE, ON_DEMAND, REMOTE_ATOMIC, REMOTE_READ, REMOTE_WRITE } from '../wire/access.js'
import { RELAXED_ORDERING, WINDOW_BIND, ZERO_BASED } from '../wire/access.js'

/**
 * Rights of a memory region or a queue pair, to be combined with `|`. Reading by the own HCA needs
 * none. `remoteWrite` and `remoteAtomic` of a region need `localWrite` (ibv_reg_mr.3).
 *
 * @example
 * domain.register(address, bytes, Access.localWrite | Access.remoteRead)
 */
export const Access = {
  none: 0,
  localWrite: LOCAL_WRITE,
  remoteWrite: REMOTE_WRITE,
  remoteRead: REMOTE_READ,
  remoteAtomic: REMOTE_ATOMIC,
  /** Memory windows may be bound to the region. */
  windowBind: WINDOW_BIND,
  /** Addresses count from 0 at the region's, or the window's, first byte. */
  zeroBased: ZERO_BASED,
  /** Peers may FLUSH to make what was written visible to all. */
  flushGlobal: FLUSH_GLOBAL,
  /** Peers may FLUSH to make what was written outlast a loss of power. */
  flushPersistent: FLUSH_PERSISTENT,
  /** On-demand paging: not offered, registering with it is `EOPNOTSUPP`. */
  onDemand: ON_DEMAND,
  /** A hint: writes may land in any order; a completion still publishes them. */
  relaxedOrdering: RELAXED_ORDERING,
} as const

/** A combination of `Access` flags. */
export type AccessFlags = number
