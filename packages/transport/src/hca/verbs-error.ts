/** The `errno` that rdma-core would give. */
export type VerbsErrorCode = 'EINVAL' | 'EBUSY' | 'ENOMEM' | 'EOPNOTSUPP'

/**
 * A verb was misused, or an object is still in use: thrown before anything changed. Failed requests
 * are not thrown; they are completions with a status.
 */
export class VerbsError extends Error {
  override readonly name = 'VerbsError'
  readonly code: VerbsErrorCode

  constructor(code: VerbsErrorCode, message: string) {
    super(`${message} (${code})`)
    this.code = code
  }
}

/** Throws `EINVAL` unless `condition` holds. For set-up verbs; not on the hot path. */
export function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new VerbsError('EINVAL', message)
}

/** Throws `EOPNOTSUPP` where something is asked for that the device does not offer. */
export function demandOffered(offered: boolean, feature: string): void {
  if (!offered) throw new VerbsError('EOPNOTSUPP', `the device does not offer ${feature}`)
}

/** Throws `EBUSY` unless `count` is 0. */
export function demandUnused(count: number, object: string, users: string): void {
  if (count !== 0) throw new VerbsError('EBUSY', `${object} still has ${count} ${users}`)
}
