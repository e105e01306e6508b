import { EventEmitter } from 'eventemitter3'

import type { Hca } from '../../hca/hca.js'
import { progress } from '../../hca/requester/progress.js'
import { doorbellCount, markAsleep, markAwake, sleepOnDoorbell } from '../../ring/doorbell.js'
import { HCA_DOORBELL } from '../../wire/hca-block.js'
import type { ConnectionEvent, ConnectionEventName } from './connection-event.js'

type Listeners = Record<ConnectionEventName | 'event', (event: ConnectionEvent) => void>

/**
 * Where the events of connections come (rdma_create_event_channel.3). Listeners of an event's name,
 * and of `event` for all, are called while the device's thread makes progress, and the event is
 * acknowledged for them; an event nobody listens for is kept for `poll`, `wait` and `next`, and whoever
 * takes it acknowledges it.
 */
export class EventChannel extends EventEmitter<Listeners> {
  readonly #hca: Hca
  readonly #kept: ConnectionEvent[] = []

  /** Made by `Device.createEventChannel`. */
  constructor(hca: Hca) {
    super()
    this.#hca = hca
  }

  /** The oldest event, `undefined` when there is none. */
  poll(): ConnectionEvent | undefined {
    progress(this.#hca)
    return this.#kept.shift()
  }

  /** Waits for an event; sleeps meanwhile. `undefined` when the time is over. */
  wait(timeoutMs = Infinity): ConnectionEvent | undefined {
    const { i32, block } = this.#hca
    const bell = block + HCA_DOORBELL
    const end = performance.now() + timeoutMs
    for (;;) {
      const count = doorbellCount(i32, bell)
      markAsleep(i32, bell)
      const event = this.poll()
      const leftMs = end - performance.now()
      if (event === undefined && leftMs > 0) sleepOnDoorbell(i32, bell, count, leftMs)
      markAwake(i32, bell)
      if (event !== undefined || leftMs <= 0) return event
    }
  }

  /** Waits for an event without blocking the thread. */
  async next(): Promise<ConnectionEvent> {
    for (;;) {
      const event = this.poll()
      if (event !== undefined) return event
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Called by the connection agent. */
  deliver(event: ConnectionEvent): void {
    if (this.listenerCount(event.name) + this.listenerCount('event') === 0) {
      this.#kept.push(event)
      return
    }
    // First: a listener may destroy the identifier.
    event.acknowledge()
    this.emit(event.name, event)
    this.emit('event', event)
  }
}
