import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Bundle } from './bundle.js'
import type { FromJob, ToJob } from './job-message.js'
import type { JobRequest } from './job-request.js'
import { packageFile } from './package-files.js'

/** How the process of a job ended. */
export type ProcessEnd =
  | { readonly kind: 'over'; readonly status: number }
  /** It died without a word: V8 aborted it, or somebody killed it. */
  | {
      readonly kind: 'died'
      readonly signal: NodeJS.Signals | null
      readonly status: number | null
    }

/** A job that was told to end has this long before it is killed. */
const GRACE_MS = 800

/** The process of a job, seen from mpiexec. */
export class JobProcess {
  readonly ended: Promise<ProcessEnd>
  readonly #child: ChildProcess

  constructor(request: JobRequest) {
    this.#child = spawn(process.execPath, [fileURLToPath(packageFile('launch/job.js'))], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    this.ended = new Promise((resolve) => {
      this.#child.on('message', ({ status }: FromJob) => {
        resolve({ kind: 'over', status })
        // All is said: taking its threads down one by one would only cost time.
        this.kill()
      })
      this.#child.on('exit', (status, signal) => resolve({ kind: 'died', signal, status }))
      this.#child.on('error', () => resolve({ kind: 'died', signal: null, status: null }))
    })
    this.#send({ type: 'request', request })
  }

  start(index: number, bundle: Bundle): void {
    this.#send({ type: 'bundle', index, bundle })
  }

  /** Asks the job to end by a signal, and kills it when it does not. */
  interrupt(signal: 'SIGINT' | 'SIGTERM'): void {
    this.#child.kill(signal)
    setTimeout(() => this.kill(), GRACE_MS).unref()
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #send(message: ToJob): void {
    // A job that has died already says so by its exit.
    this.#child.send(message, () => {})
  }
}
