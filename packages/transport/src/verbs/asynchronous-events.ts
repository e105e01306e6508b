import { EventEmitter } from 'eventemitter3'

import { countUnacknowledged } from '../hca/requester/acknowledgement.js'
import type { RaisedEvent } from '../hca/port/events.js'
import type { Hca } from '../hca/hca.js'
import { asynchronousEventNames } from '../wire/asynchronous-event.js'
import type { AsynchronousEventName } from '../wire/asynchronous-event.js'
import type { CompletionQueue } from './completion-queue.js'
import type { QueuePair } from './queue-pair.js'
import type { SharedReceiveQueue } from './shared-receive-queue.js'

/** What an event is about; one of these, or the whole device. */
export interface EventSubject {
  queuePair?: QueuePair
  completionQueue?: CompletionQueue
  sharedReceiveQueue?: SharedReceiveQueue
  port?: number
}

/** An asynchronous event (ibv_get_async_event.3). */
export class AsynchronousEvent {
  readonly name: AsynchronousEventName
  readonly queuePair: QueuePair | undefined
  readonly completionQueue: CompletionQueue | undefined
  readonly sharedReceiveQueue: SharedReceiveQueue | undefined
  readonly port: number | undefined
  readonly #acknowledge: () => void
  #acknowledged = false

  constructor(name: AsynchronousEventName, subject: EventSubject, acknowledge: () => void) {
    this.name = name
    this.queuePair = subject.queuePair
    this.completionQueue = subject.completionQueue
    this.sharedReceiveQueue = subject.sharedReceiveQueue
    this.port = subject.port
    this.#acknowledge = acknowledge
  }

  /** Says that it has been dealt with; its object can be destroyed then. Twice is once. */
  acknowledge(): void {
    if (this.#acknowledged) return
    this.#acknowledged = true
    this.#acknowledge()
  }
}

type Listeners = Record<AsynchronousEventName | 'event', (event: AsynchronousEvent) => void> &
  Record<'warning', (text: string) => void>

/** Events that nobody listened for and nobody fetched: older ones are dropped beyond this. */
const KEPT_MAX = 256

/**
 * The asynchronous events of a device, delivered when its thread makes progress. Listeners of an
 * event's name, and of `event` for all, are called, and the event is acknowledged for them; an event
 * nobody listens for is kept for `next`, and whoever takes it acknowledges it.
 *
 * `warning` tells in words of what no hardware tells: attributes of two ends that disagree, a send
 * queue that nobody can ever empty. Where nobody listens it is a warning of the process.
 *
 * @example
 * device.events.on('queuePairAccessError', ({ queuePair }) => queuePair?.modify({ state: 'reset' }))
 */
export class AsynchronousEvents extends EventEmitter<Listeners> {
  readonly #hca: Hca
  readonly #resolve: (raised: RaisedEvent) => EventSubject | undefined
  readonly #kept: RaisedEvent[] = []

  /** Made by `Device`; `resolve` finds what an event is about, `undefined` once it is gone. */
  constructor(hca: Hca, resolve: (raised: RaisedEvent) => EventSubject | undefined) {
    super()
    this.#hca = hca
    this.#resolve = resolve
  }

  /** The oldest event nobody listened for; to be acknowledged. `undefined` when there is none. */
  next(): AsynchronousEvent | undefined {
    for (let raised = this.#kept.shift(); raised !== undefined; raised = this.#kept.shift()) {
      const event = this.#take(raised)
      if (event !== undefined) return event
    }
    return undefined
  }

  /** Called by the HCA's engine. */
  warn(text: string): void {
    if (!this.emit('warning', text)) process.emitWarning(text, 'VerbsWarning')
  }

  /** Called by the device with each event raised. */
  deliver(raised: RaisedEvent): void {
    const name = asynchronousEventNames[raised.event]!
    if (this.listenerCount(name) + this.listenerCount('event') === 0) {
      this.#kept.push(raised)
      if (this.#kept.length > KEPT_MAX) this.#kept.shift()
      return
    }
    const event = this.#take(raised)
    if (event === undefined) return
    // First: a listener may destroy what the event is about.
    event.acknowledge()
    this.emit(name, event)
    this.emit('event', event)
  }

  #take(raised: RaisedEvent): AsynchronousEvent | undefined {
    const subject = this.#resolve(raised)
    if (subject === undefined) return undefined
    const { subject: address } = raised
    countUnacknowledged(this.#hca, address, 1)
    const acknowledge = () => countUnacknowledged(this.#hca, address, -1)
    return new AsynchronousEvent(asynchronousEventNames[raised.event]!, subject, acknowledge)
  }
}
