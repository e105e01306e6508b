import { url as debuggerUrl } from 'node:inspector'
import { isMainThread, Worker } from 'node:worker_threads'

/** A rank ran for so long without awaiting anything that it was stopped. */
export class EndlessLoopError extends Error {
  override readonly name = 'EndlessLoopError'
  /** Where it was, the innermost call first. */
  readonly frames: readonly string[]

  constructor(timeoutMs: number, frames: readonly string[]) {
    const where = frames.slice(0, 5).map((frame) => `\n    at ${frame}`)
    super(
      `a rank has not awaited anything for ${timeoutMs} ms, so nobody else could go on: an endless ` +
        `loop? It was stopped here:${where.join('')}`,
    )
    this.frames = frames
  }
}

/** What the watching thread shares with this one, in words. */
const BEATS = 0
const LIMIT_MS = 1
/** Set from when a rank is being stopped until that is told. */
const STOPPING = 2
const BEAT_MS = 200
/** A thread may be busy for so long in any case: compiling, collecting garbage. */
const LEAST_MS = 1500
/** What fits in a word. */
const MOST_MS = 2 ** 31 - 1

/**
 * The thread that watches: when this one has not beaten for too long it is stopped by V8's debugger,
 * which tells where it is, and whatever it was running is given up. A program of its own, since it must
 * be there when this thread is blocked.
 */
const WATCHER = `
const { parentPort, workerData } = require('node:worker_threads')
const { Session } = require('node:inspector')
const words = new Int32Array(workerData)
let seen = -1
let ticks = 0
// Ticks and not the clock: when the whole process gets no time, none of its threads ticks.
setInterval(() => {
  const limit = Atomics.load(words, ${LIMIT_MS})
  const beats = Atomics.load(words, ${BEATS})
  if (limit === 0 || beats !== seen) ticks = 0
  else if (++ticks * ${BEAT_MS} > limit) stop()
  seen = beats
}, ${BEAT_MS})

function stop() {
  ticks = -1e9
  Atomics.store(words, ${STOPPING}, 1)
  const session = new Session()
  session.connectToMainThread()
  const urls = new Map()
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
  session.on('Debugger.paused', ({ params }) => {
    const frames = params.callFrames.map(({ functionName, location, url }) => {
      const file = url || urls.get(location.scriptId) || ''
      return (functionName || 'main') + ' (' + file + ':' + (location.lineNumber + 1) + ')'
    })
    session.post('Runtime.terminateExecution')
    session.post('Debugger.resume')
    setTimeout(() => {
      session.disconnect()
      ticks = 0
      parentPort.postMessage(frames)
    }, 50)
  })
  session.post('Debugger.enable', () => session.post('Debugger.pause'))
}
`

/** Guards this thread while worlds run on it. */
class EndlessGuard {
  readonly #words = new Int32Array(new SharedArrayBuffer(12))
  readonly #active = new Set<(frames: readonly string[]) => void>()
  readonly #worker: Worker
  readonly #beat: NodeJS.Timeout

  constructor() {
    this.#worker = new Worker(WATCHER, { eval: true, workerData: this.#words.buffer })
    this.#worker.on('message', (frames: string[]) => {
      // A debugger that was attached once keeps its thread, and so the process: the next guard has another.
      guard = undefined
      clearInterval(this.#beat)
      process.off('beforeExit', this.#keepAlive)
      void this.#worker.terminate()
      Atomics.store(this.#words, STOPPING, 0)
      for (const stop of this.#active) stop(frames)
    })
    // After the listener, which would take it back.
    this.#worker.unref()
    process.on('beforeExit', this.#keepAlive)
    this.#beat = setInterval(() => Atomics.add(this.#words, BEATS, 1), BEAT_MS)
    this.#beat.unref()
  }

  /** Where nothing else is left to happen once a rank has been stopped, that must still be told. */
  readonly #keepAlive = (): void => {
    if (this.#isStopping) this.#worker.ref()
  }

  get #isStopping(): boolean {
    return Atomics.load(this.#words, STOPPING) === 1
  }

  async run<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
    Atomics.add(this.#words, BEATS, 1)
    Atomics.store(this.#words, LIMIT_MS, Math.min(Math.max(timeoutMs, LEAST_MS), MOST_MS))
    let stop: (frames: readonly string[]) => void
    const stopped = new Promise<never>((_, reject) => {
      stop = (frames) => reject(new EndlessLoopError(timeoutMs, frames))
    })
    this.#active.add(stop!)
    try {
      const done = await Promise.race([work(), stopped])
      // A time limit that was over meanwhile comes first, and does not know why.
      return this.#isStopping ? await stopped : done
    } finally {
      this.#active.delete(stop!)
      if (this.#active.size === 0) Atomics.store(this.#words, LIMIT_MS, 0)
    }
  }
}

let guard: EndlessGuard | undefined

/**
 * Runs what may never give this thread back. Threads other than the main one, and those that a
 * debugger is attached to, are not guarded.
 *
 * @throws {EndlessLoopError} it did not for `timeoutMs`, and was stopped
 */
export async function guarded<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const nobody = timeoutMs === Infinity || !isMainThread || debuggerUrl() !== undefined
  if (nobody) return await work()
  guard ??= new EndlessGuard()
  return await guard.run(timeoutMs, work)
}
