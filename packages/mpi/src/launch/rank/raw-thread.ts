import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'

/** A thread that loads the library and waits to be told which rank it is. */
export interface RawThread {
  readonly worker: Worker
  readonly port: MessagePort
}

/** What a thread must be born with; the rest comes by message. */
export interface ThreadBirth {
  readonly name: string
  /** Of its V8 heap; Node's own default when absent. */
  readonly heapBytes: number | undefined
  /** Whether it may be fed standard input. */
  readonly input: boolean
}

/** Starts a thread. `entry` is the address of `launch/worker.js`. */
export function startThread(entry: URL, { name, heapBytes, input }: ThreadBirth): RawThread {
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(entry, {
    name,
    workerData: port2,
    transferList: [port2],
    stdin: input,
    // The thread's own streams, which nothing uses: piped to ours they would ask the rank's for more.
    stdout: true,
    stderr: true,
    resourceLimits: heapBytes === undefined ? {} : { maxOldGenerationSizeMb: heapBytes / 2 ** 20 },
  })
  return { worker, port: port1 }
}
