import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AbortWords } from './abort-words.js'
import type { Bundle } from '../program/bundle.js'
import { traitsOf } from '../output/host-sink.js'
import type { FromJob, ToJob } from './job-message.js'
import { threadCount, type JobRequest } from './job-request.js'
import { packageFile } from '../program/package-files.js'

/** How the process of a job ended. */
export type ProcessEnd =
  | { readonly kind: 'over'; readonly status: number }
  /** It died without a word: V8 aborted it, or somebody killed it. */
  | {
      readonly kind: 'died'
      readonly signal: NodeJS.Signals | null
      readonly status: number | null
      readonly words: AbortWords
    }

/** A job that was told to end has this long before it is killed. */
const GRACE_MS = 800

/**
 * Messages from this size on are copied past the cache, which they would only sweep. The C library
 * under WebAssembly's `memory.copy` decides that from the size of the whole last-level cache, which
 * on a shared server is far more than is ours: without this, 2 MiB messages into many buffers move
 * at half the speed. Read at the start of a process, so it is told by the environment.
 */
const COPY_PAST_CACHE = 'glibc.cpu.x86_non_temporal_threshold=0x100000'

function jobEnvironment(): NodeJS.ProcessEnv {
  return { GLIBC_TUNABLES: COPY_PAST_CACHE, ...process.env }
}

/** The process of a job, seen from mpiexec. */
export class JobProcess {
  readonly ended: Promise<ProcessEnd>
  readonly #child: ChildProcess

  /** `folder` takes Node's report when the process aborts. */
  constructor(request: JobRequest, folder: string) {
    this.#child = spawn(
      process.execPath,
      [
        '--report-on-fatalerror',
        '--report-exclude-network',
        `--report-directory=${folder}`,
        fileURLToPath(packageFile('launch/job.js')),
        // What its threads must be born with; they start before the request is read.
        String(threadCount(request)),
        String(request.heapBytes ?? 0),
      ],
      // Descriptor 3 is our standard error; the process's own is for what V8 has to say.
      { stdio: ['inherit', 'inherit', 'pipe', 2, 'ipc'], env: jobEnvironment() },
    )
    const words = new AbortWords((text) => process.stderr.write(text))
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => words.add(text))
    this.ended = new Promise((resolve) => {
      let over: number | undefined
      this.#child.on('message', ({ status }: FromJob) => {
        over = status
        // All is said: taking its threads down one by one would only cost time.
        this.kill()
      })
      this.#child.on('error', () => resolve({ kind: 'died', signal: null, status: null, words }))
      this.#child.on('close', (status, signal) => {
        words.end()
        resolve(
          over === undefined
            ? { kind: 'died', signal, status, words }
            : { kind: 'over', status: over },
        )
      })
    })
    const traits = { out: traitsOf(process.stdout), err: traitsOf(process.stderr) }
    this.#send({ type: 'request', request, traits, folder })
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
