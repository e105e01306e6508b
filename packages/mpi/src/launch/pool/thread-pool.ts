import { Worker } from 'node:worker_threads'
import { MemoryPool, type PrioritySchedule } from '@commworld/transport'
import { World } from '../../engine/world/world.js'
import { ArgumentError, InternalError } from '../../errors/index.js'
import { BundleFolder, type Bundle } from '../program/bundle.js'
import { THREAD_RANKS_MAX } from '../job/limits.js'
import { packageFile } from '../program/package-files.js'
import type { FromPooled, ToPooled } from './pool-message.js'
import { PoolRun, type PooledRun } from './pool-run.js'
import { findProgram } from '../program/program-file.js'
import { runningStacks } from '../job/running-stacks.js'

/** How a pool of rank threads is made. */
export interface PoolOptions {
  /** 1 to 1024. */
  readonly ranks: number
  /** After so long a run fails, and threads that do not end are replaced. Default 10 s. */
  readonly timeoutMs?: number | undefined
  /** Memory of each world; default 256 MiB. */
  readonly memoryBytes?: number | undefined
  /** What programs print is dropped. */
  readonly silent?: boolean | undefined
}

/** How one run goes. */
export interface PoolRunOptions {
  /** One rank runs at a time, in an order that the choices decide. */
  readonly serial?: boolean | undefined
  /** Replay string; serial runs only, as the next two. */
  readonly choices?: string | undefined
  readonly seed?: number | undefined
  readonly priorities?: PrioritySchedule | undefined
  /** What the program finds as its command line. */
  readonly commandLine?: readonly string[] | undefined
}

const TIMEOUT_MS = 10_000
const MEMORY_BYTES = 256 * 2 ** 20
/** After a failure the other ranks wake and end within this time, or their threads are replaced. */
const WAKE_MS = 1000

/** Threads that stay, each a rank of one world after the other. One run at a time. */
export class ThreadPool {
  readonly ranks: number
  readonly #timeoutMs: number
  readonly #memoryBytes: number
  readonly #silent: boolean
  readonly #threads: Worker[] = []
  readonly #memories = new MemoryPool({ capacity: 1 })
  readonly #folder = new BundleFolder()
  readonly #bundles = new Map<string, Promise<Bundle>>()
  readonly #removeFolder = () => this.#folder.remove()
  #run: PoolRun | undefined
  #number = 0
  #closed = false

  /** @throws ArgumentError */
  constructor(options: PoolOptions) {
    const { ranks, timeoutMs = TIMEOUT_MS, memoryBytes = MEMORY_BYTES, silent = false } = options
    if (!(Number.isInteger(ranks) && ranks >= 1 && ranks <= THREAD_RANKS_MAX)) {
      const expected = `an integer from 1 to ${THREAD_RANKS_MAX}`
      throw new ArgumentError({ argument: 'ranks', seen: ranks, expected })
    }
    this.ranks = ranks
    this.#timeoutMs = timeoutMs
    this.#memoryBytes = memoryBytes
    this.#silent = silent
    process.once('exit', this.#removeFolder)
    for (let rank = 0; rank < ranks; rank++) this.#start(rank)
  }

  /** Runs a module's default export on every rank: `main(mpi, ...args)`. @throws SpawnError */
  async run(
    module: URL | string,
    args: readonly unknown[],
    { serial = false, choices, seed, priorities, commandLine = [] }: PoolRunOptions,
  ): Promise<PooledRun> {
    if (this.#closed) throw new InternalError('the pool is closed')
    if (this.#run !== undefined) throw new InternalError('a pool runs one world at a time')
    const bundle = await this.#bundleOf(module)
    const memory = this.#memories.acquire(this.#memoryBytes)
    const world = World.on(memory, {
      ranks: this.ranks,
      mode: serial ? 'serial' : 'parallel',
      ...(choices !== undefined && { choices }),
      ...(seed !== undefined && { seed }),
      ...(priorities !== undefined && { priorities }),
    })
    const run = new PoolRun(world, this.ranks, (allFinished) =>
      this.#post({ type: 'tell', allFinished }),
    )
    this.#run = run
    const number = ++this.#number
    const { descriptor } = world
    for (let rank = 0; rank < this.ranks; rank++) {
      this.#send(rank, { type: 'run', run: number, descriptor, rank, bundle, args, commandLine })
    }
    const timer = setTimeout(() => void this.#timeout(run), this.#timeoutMs)
    await run.over
    clearTimeout(timer)
    await run.freeWithin(WAKE_MS)
    this.#run = undefined
    const result = run.result()
    this.#replaceUnclean(run, result.residue.length > 0)
    // Threads that were ended may have been in the middle of anything.
    if (run.clean) this.#memories.release(memory)
    return result
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    process.off('exit', this.#removeFolder)
    this.#folder.remove()
    await Promise.all(this.#threads.map((thread) => thread.terminate()))
  }

  #bundleOf(module: URL | string): Promise<Bundle> {
    const written = String(module)
    let bundle = this.#bundles.get(written)
    if (bundle === undefined) {
      bundle = this.#folder.add(findProgram(module), written)
      this.#bundles.set(written, bundle)
    }
    return bundle
  }

  #start(rank: number): void {
    const thread = new Worker(packageFile('launch/pool-worker.js'), {
      name: `rank ${rank}`,
      stdout: this.#silent,
      stderr: this.#silent,
    })
    thread.on('message', (message: FromPooled) => {
      const isLate = message.type !== 'snapshot' && message.run !== this.#number
      if (!isLate && this.#threads[rank] === thread) this.#run?.hear(rank, message)
    })
    thread.on('error', (error) => this.#run?.fail({ thrown: error, rank }))
    thread.on('exit', (code) => {
      if (this.#threads[rank] !== thread || this.#closed) return
      const thrown = new InternalError(`the thread of rank ${rank} ended with status ${code}`)
      this.#run?.fail({ thrown, rank })
    })
    thread.unref()
    this.#threads[rank] = thread
  }

  #post(message: ToPooled): void {
    for (let rank = 0; rank < this.ranks; rank++) this.#send(rank, message)
  }

  #send(rank: number, message: ToPooled): void {
    this.#threads[rank]!.postMessage(message)
  }

  async #timeout(run: PoolRun): Promise<void> {
    // Not those that sleep: a debugger would stop them when they wake.
    const ids = run.running.map((rank) => this.#threads[rank]!.threadId).filter((id) => id > 0)
    const stacks = await runningStacks(ids)
    run.timeout(this.#timeoutMs, [...stacks.values()])
  }

  #replaceUnclean(run: PoolRun, all: boolean): void {
    for (let rank = 0; rank < this.ranks; rank++) {
      if (run.isFree(rank) && !all) continue
      const old = this.#threads[rank]!
      this.#start(rank)
      void old.terminate()
    }
  }
}
