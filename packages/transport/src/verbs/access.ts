import { LOCAL_WRITE, REMOTE_ATOMIC, REMOTE_READ, REMOTE_WRITE } from '../wire/access.js'

/**
 * Rights of a memory region or a queue pair, to be combined with `|`. Reading by the own HCA needs
 * none. `remoteWrite` and `remoteAtomic` of a region need `localWrite`.
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
} as const

/** A combination of `Access` flags. */
export type AccessFlags = number
