import type { ChoiceStream } from '@commworld/transport'
import { FruitlessPollError, SharedThreadError } from '../errors/index.js'
import type { Wait } from '../record/rank-snapshot.js'
import { firstOf } from '../record/waits.js'
import type { Carrier, VirtualClock } from './carrier.js'
import type { RankScheduler } from './coroutine-scheduler.js'
import type { Endpoint } from './endpoint.js'
import type { Waitable } from './waitable.js'

/** Polls in vain without giving anybody else a turn that are taken for a program that only polls. */
const POLLS_MAX = 10_000

/** A rank on a thread that it shares with others: it never blocks, only awaits. */
export class CoroutineCarrier implements Carrier {
  readonly blocks = false
  readonly patience = 0
  readonly clock: VirtualClock | undefined = undefined
  readonly #endpoint: Endpoint
  readonly #scheduler: RankScheduler
  readonly #choices: ChoiceStream
  #awaited: Set<Waitable> | undefined
  readonly #number: number
  #polls = 0

  constructor(number: number, endpoint: Endpoint, scheduler: RankScheduler, choices: ChoiceStream) {
    this.#endpoint = endpoint
    this.#scheduler = scheduler
    this.#choices = choices
    this.#number = number
    const wake = (peer: number): void => scheduler.wake(peer)
    const tell = (peer: number): void => scheduler.tell(peer)
    endpoint.onPost = wake
    endpoint.onNews = tell
  }

  /** Whether a step would do anything. */
  get ready(): boolean {
    return this.#endpoint.hasWork
  }

  get watches(): boolean {
    return this.#endpoint.watches
  }

  /** Sends what can be sent and takes in one message. */
  step(): void {
    this.#polls = 0
    this.#endpoint.step()
    // Requests tell by themselves; others (the end of a rank) are looked at.
    if (this.#awaited === undefined) return
    for (const waitable of this.#awaited) if (waitable.done) waitable.onDone?.()
  }

  block(waitable: Waitable): void {
    const { name } = waitable.describe()
    throw new SharedThreadError({ operation: name, instead: 'await the request' })
  }

  awaken(waitable: Waitable): void {
    this.#polls = 0
    const settle = waitable.onDone
    const awaited = (this.#awaited ??= new Set())
    awaited.add(waitable)
    const onDone = (): void => {
      awaited.delete(waitable)
      this.#scheduler.settle()
      settle?.()
    }
    waitable.onDone = onDone
    this.#scheduler.wake(this.#number)
  }

  poll(): void {
    if (!this.#scheduler.stopped) this.#endpoint.progress()
    if (++this.#polls > POLLS_MAX) {
      throw new FruitlessPollError({ operation: 'test or iprobe', polls: this.#polls })
    }
  }

  admits(label: string): boolean {
    this.#polls = 0
    return this.#choices.choose(2, label) === 0
  }

  pick(alternatives: number, label: string): number {
    return this.#choices.choose(alternatives, label)
  }

  /** The world has ended: whatever the rank awaits ends with this error. */
  interrupt(error: Error): void {
    for (const waitable of [...(this.#awaited ?? [])]) waitable.fail?.(error)
  }

  /** Whether the rank awaits anything: without that it is outside of the library. */
  get awaits(): boolean {
    return this.#awaited !== undefined && this.#awaited.size > 0
  }

  /** Any of the awaited requests lets some task of the rank go on. */
  missing(): Wait {
    return firstOf([...(this.#awaited ?? [])].map((waitable) => waitable.missing()))
  }
}
