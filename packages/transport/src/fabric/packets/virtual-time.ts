/** Something that will happen; `cancel` keeps it from happening. */
export interface Timer {
  readonly timeNs: number
  cancel(): void
}

interface Event extends Timer {
  readonly order: number
  action: (() => void) | undefined
}

/**
 * Virtual time in nanoseconds, and what is to happen in it. Events happen in the order of their
 * times, and of their scheduling where times are equal: a run depends on nothing else.
 */
export class VirtualTime {
  /** A binary heap: each event is no later than the two at 2 i + 1 and 2 i + 2. */
  readonly #events: Event[] = []
  #order = 0
  #nowNs = 0

  /** Nanoseconds since the start. */
  get nowNs(): number {
    return this.#nowNs
  }

  /** Whether nothing is to happen any more. */
  get idle(): boolean {
    this.#dropCancelled()
    return this.#events.length === 0
  }

  /** Has `action` happen `delayNs` from now. */
  schedule(delayNs: number, action: () => void): Timer {
    const event: Event = {
      timeNs: this.#nowNs + delayNs,
      order: this.#order++,
      action,
      cancel: () => (event.action = undefined),
    }
    this.#push(event)
    return event
  }

  /** Goes on to the next event and has it happen; false when there is none. */
  step(): boolean {
    this.#dropCancelled()
    const event = this.#pop()
    if (event === undefined) return false
    this.#nowNs = event.timeNs
    event.action!()
    return true
  }

  /**
   * Goes on until nothing is left to happen, or the time is over, which it then is. Without a limit it
   * may never return: a sender that retries for ever is never done.
   */
  run(forNs = Infinity): void {
    const end = this.#nowNs + forNs
    for (;;) {
      this.#dropCancelled()
      const next = this.#events[0]
      if (next === undefined || next.timeNs > end) break
      this.step()
    }
    if (end !== Infinity) this.#nowNs = end
  }

  #dropCancelled(): void {
    while (this.#events.length > 0 && this.#events[0]!.action === undefined) this.#pop()
  }

  #push(event: Event): void {
    const events = this.#events
    let place = events.length
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!isBefore(event, events[parent]!)) break
      events[place] = events[parent]!
      place = parent
    }
    events[place] = event
  }

  #pop(): Event | undefined {
    const events = this.#events
    const first = events[0]
    const last = events.pop()
    if (first === undefined || last === undefined || events.length === 0) return first
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= events.length) break
      if (child + 1 < events.length && isBefore(events[child + 1]!, events[child]!)) child++
      if (!isBefore(events[child]!, last)) break
      events[place] = events[child]!
      place = child
    }
    events[place] = last
    return first
  }
}

function isBefore(left: Event, right: Event): boolean {
  return left.timeNs === right.timeNs ? left.order < right.order : left.timeNs < right.timeNs
}
