/** Slots of the table of the times that were used last. */
const RECENT_TIMES = 4096
const RECENT_SHIFT = 32 - Math.log2(RECENT_TIMES)
const NONE = -1

/**
 * Events in the order of (time, sequence), on typed arrays. An event is one number, `what`, which the
 * simulation that owns the queue knows how to read.
 *
 * Ranks of a collective go in lockstep, so many events have the same time. Those are kept in a list
 * of their own, in the order in which they were pushed, and only lists are in the heap:
 *
 * ```
 *   heap of four-fold branching, by (time, age of the list)        list of a time
 *     [ 900 | 1400 | 950 | 1400 ]                                   what -> what -> what
 * ```
 *
 * A small table finds the list of a time. Where two times share a slot of the table, a time may get a
 * second list; the first gets no more events then, so the order stays that of pushing.
 */
export class EventQueue {
  #size = 0
  #pushes = 0
  // Of each event: what it is, and the next one in its list.
  #what = new Int32Array(256)
  #next = new Int32Array(256)
  #freeEvent = NONE
  #events = 0
  // Of each list: its time, its age, its first and last event.
  #time = new Float64Array(64)
  #age = new Float64Array(64)
  #first = new Int32Array(64)
  #last = new Int32Array(64)
  #freeList = NONE
  #lists = 0
  // The heap holds lists; the times beside them spare a look elsewhere.
  #heapTime = new Float64Array(64)
  #heapList = new Int32Array(64)
  #heapLength = 0
  readonly #recent = new Int32Array(RECENT_TIMES).fill(NONE)

  /** Time of the event that was popped last. */
  now = 0

  /** Events that wait. */
  get size(): number {
    return this.#size
  }

  /** Events that were ever pushed. */
  get pushes(): number {
    return this.#pushes
  }

  /** Time of the next event; the queue must not be empty. */
  get nextTime(): number {
    return this.#heapTime[0]!
  }

  /** Precondition: `time` is a whole number, not before `now`. */
  push(time: number, what: number): void {
    const event = this.#newEvent()
    this.#what[event] = what
    this.#next[event] = NONE
    this.#size++
    this.#pushes++
    const slot = Math.imul(time | 0, 0x9e3779b1) >>> RECENT_SHIFT
    const list = this.#recent[slot]!
    if (list !== NONE && this.#time[list] === time) {
      this.#next[this.#last[list]!] = event
      this.#last[list] = event
    } else {
      this.#recent[slot] = this.#newList(time, event)
    }
  }

  /** Takes the next event and sets `now` to its time; the queue must not be empty. */
  pop(): number {
    const list = this.#heapList[0]!
    const event = this.#first[list]!
    this.now = this.#heapTime[0]!
    const next = this.#next[event]!
    if (next === NONE) this.#dropFirst(list)
    else this.#first[list] = next
    this.#next[event] = this.#freeEvent
    this.#freeEvent = event
    this.#size--
    return this.#what[event]!
  }

  #newEvent(): number {
    const free = this.#freeEvent
    if (free !== NONE) {
      this.#freeEvent = this.#next[free]!
      return free
    }
    if (this.#events === this.#what.length) {
      this.#what = grown(this.#what)
      this.#next = grown(this.#next)
    }
    return this.#events++
  }

  #newList(time: number, event: number): number {
    let list = this.#freeList
    if (list !== NONE) this.#freeList = this.#first[list]!
    else {
      if (this.#lists === this.#time.length) this.#growLists()
      list = this.#lists++
    }
    this.#time[list] = time
    this.#age[list] = this.#pushes
    this.#first[list] = event
    this.#last[list] = event
    this.#rise(this.#heapLength++, time, list)
    return list
  }

  #growLists(): void {
    const length = 2 * this.#time.length
    this.#time = grown(this.#time)
    this.#age = grown(this.#age)
    this.#first = grown(this.#first)
    this.#last = grown(this.#last)
    const heapTime = new Float64Array(length)
    heapTime.set(this.#heapTime)
    this.#heapTime = heapTime
    this.#heapList = grown(this.#heapList)
  }

  /** Puts a list where it belongs between `hole` and the root. A new list is the youngest of its time. */
  #rise(hole: number, time: number, list: number): void {
    const times = this.#heapTime
    const lists = this.#heapList
    while (hole > 0) {
      const parent = (hole - 1) >> 2
      if (times[parent]! <= time) break
      times[hole] = times[parent]!
      lists[hole] = lists[parent]!
      hole = parent
    }
    times[hole] = time
    lists[hole] = list
  }

  #dropFirst(list: number): void {
    this.#time[list] = NaN
    this.#first[list] = this.#freeList
    this.#freeList = list
    const length = --this.#heapLength
    if (length === 0) return
    const times = this.#heapTime
    const lists = this.#heapList
    const ages = this.#age
    const time = times[length]!
    const moved = lists[length]!
    const age = ages[moved]!
    let hole = 0
    for (;;) {
      const child = 4 * hole + 1
      if (child >= length) break
      let least = child
      let leastTime = times[child]!
      const end = Math.min(child + 4, length)
      for (let other = child + 1; other < end; other++) {
        const otherTime = times[other]!
        if (
          otherTime < leastTime ||
          (otherTime === leastTime && ages[lists[other]!]! < ages[lists[least]!]!)
        ) {
          least = other
          leastTime = otherTime
        }
      }
      if (leastTime > time || (leastTime === time && ages[lists[least]!]! > age)) break
      times[hole] = leastTime
      lists[hole] = lists[least]!
      hole = least
    }
    times[hole] = time
    lists[hole] = moved
  }
}

function grown<T extends Int32Array | Float64Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length)
  larger.set(array)
  return larger
}
