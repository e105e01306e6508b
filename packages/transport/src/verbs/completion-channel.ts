import type { Hca } from '../hca/hca.js'
import { progress } from '../hca/requester/progress.js'
import { demandUnused } from '../hca/verbs-error.js'
import { doorbellCount, markAsleep, markAwake, sleepOnDoorbell } from '../ring/doorbell.js'
import { HCA_DOORBELL } from '../wire/hca-block.js'
import type { CompletionArming } from './completion-arming.js'
import type { CompletionQueue } from './completion-queue.js'

/**
 * Where completion queues announce that there is something to poll (ibv_create_comp_channel.3). Each
 * `arm` of a queue gives at most one event; every event taken is to be acknowledged.
 *
 * @example
 * cq.arm()
 * while (cq.pollOne(completion)) handle(completion)      // what came before the arm
 * channel.wait()?.acknowledge()                          // sleeps
 */
export class CompletionChannel {
  readonly #hca: Hca
  readonly #queues = new Map<CompletionQueue, CompletionArming>()

  /** Made by `Device.createCompletionChannel`. */
  constructor(hca: Hca) {
    this.#hca = hca
  }

  /** Takes an event, if there is one: the queue it is about (ibv_get_cq_event.3, not blocking). */
  poll(): CompletionQueue | undefined {
    progress(this.#hca)
    for (const [queue, arming] of this.#queues) if (arming.take()) return queue
    return undefined
  }

  /**
   * Waits for an event; sleeps meanwhile. For threads: what is waited for must come from others.
   *
   * @returns `undefined` when the time is over
   */
  wait(timeoutMs = Infinity): CompletionQueue | undefined {
    const { i32, block } = this.#hca
    const bell = block + HCA_DOORBELL
    const end = performance.now() + timeoutMs
    for (;;) {
      const count = doorbellCount(i32, bell)
      markAsleep(i32, bell)
      const queue = this.poll()
      const leftMs = end - performance.now()
      if (queue === undefined && leftMs > 0) sleepOnDoorbell(i32, bell, count, leftMs)
      markAwake(i32, bell)
      if (queue !== undefined || leftMs <= 0) return queue
    }
  }

  /** Waits for an event without blocking the thread: looks again in each turn of the event loop. */
  async next(): Promise<CompletionQueue> {
    for (;;) {
      const queue = this.poll()
      if (queue !== undefined) return queue
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Called by a queue that is created for this channel. */
  attach(queue: CompletionQueue, arming: CompletionArming): void {
    this.#queues.set(queue, arming)
  }

  /** Called by a queue that is destroyed. */
  detach(queue: CompletionQueue): void {
    this.#queues.delete(queue)
  }

  /** @throws {VerbsError} EBUSY while a completion queue uses it */
  destroy(): void {
    demandUnused(this.#queues.size, 'the completion channel', 'completion queues')
  }
}
