/** A command line that cannot be carried out: one line, exit status 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
