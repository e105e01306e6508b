/** Exit statuses of mpiexec. A rank's `abort(code)` or `process.exit(code)` gives its own. */
export const EXIT = {
  clean: 0,
  /** The program threw, or the command line was wrong. */
  error: 1,
  /** A deadlock or another error that the runtime proved. */
  diagnosed: 2,
  /** A hazard under `--strict`. */
  hazard: 3,
  internal: 4,
  timeout: 124,
  interrupted: 130,
  terminated: 143,
} as const

/** An operating system keeps eight bits of a status; a failure must not become 0 by that. */
export function asStatus(code: number): number {
  return code & 0xff || (code === 0 ? 0 : 1)
}
