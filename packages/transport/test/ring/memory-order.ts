/**
 * A memory that sees accesses which nothing orders: vector clocks (Mattern 1989) for some threads that are
 * played by one. Atomics order, plain accesses do not, so a fence that is missing shows at once, and
 * on any machine:
 *
 * - a plain write must be ordered with every other access to its word;
 * - a plain read must be ordered with every plain write. One beside an atomic write is a guess, which
 *   may be wrong and orders nothing.
 *
 * What a thread has read between two atomics may be thrown away by a compare-and-exchange that fails:
 * such reads never happened.
 */
export class MemoryOrder {
  /** What the code under test works on. */
  readonly i32: Int32Array
  readonly #raw: Int32Array
  readonly #threads: Thread[]
  readonly #words = new Map<number, Word>()
  #now = 0

  constructor(raw: Int32Array, threads: number) {
    this.#raw = raw
    this.#threads = Array.from({ length: threads }, () => new Thread(threads))
    this.i32 = new Proxy(raw, {
      get: (target, name) => {
        const index = indexOf(name)
        if (index >= 0) this.#plainRead(index)
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
      set: (target, name, value) => {
        const index = indexOf(name)
        if (index >= 0) this.#plainWrite(index)
        return Reflect.set(target, name, value, target)
      },
    })
  }

  /** Runs an operation of a thread; within it others may run operations of theirs. */
  as<T>(thread: number, operation: () => T): T {
    const before = this.#now
    this.#now = thread
    try {
      const result = operation()
      this.#settle(false)
      return result
    } finally {
      this.#now = before
    }
  }

  /** Runs with `Atomics` that order, each of which first asks `interrupt`. */
  observe<T>(interrupt: () => void, run: () => T): T {
    const real = globalThis.Atomics
    globalThis.Atomics = new Proxy(real, {
      get: (target, name: keyof Atomics) => {
        const operation = target[name] as (...rest: unknown[]) => unknown
        if (typeof operation !== 'function') return operation
        return (array: unknown, index: number, ...rest: unknown[]) => {
          interrupt()
          if (array !== this.i32) return operation(array, index, ...rest)
          const result = operation(this.#raw, index, ...rest)
          this.#atomic(String(name), index, name === 'compareExchange' && result !== rest[0])
          return result
        }
      },
    })
    try {
      return run()
    } finally {
      globalThis.Atomics = real
    }
  }

  #atomic(name: string, index: number, failed: boolean): void {
    this.#settle(failed)
    const word = this.#word(index)
    const thread = this.#threads[this.#now]!
    if (name === 'notify' || name === 'wait') return
    if (name !== 'store') thread.learn(word.released)
    this.#against(word.plainWrite, `an atomic ${name}`, index, false)
    const time = thread.tick(this.#now)
    if (name === 'load' || failed) {
      word.atomicReads.set(this.#now, time)
      return
    }
    word.released = thread.clock.slice()
    word.atomicWrite = { thread: this.#now, time }
  }

  #plainRead(index: number): void {
    const word = this.#word(index)
    const thread = this.#threads[this.#now]!
    this.#against(word.plainWrite, 'a plain read', index, true)
    const time = thread.tick(this.#now)
    word.plainReads.set(this.#now, time)
    thread.unsettled.push({ word, time })
  }

  #plainWrite(index: number): void {
    const word = this.#word(index)
    this.#against(word.plainWrite, 'a plain write', index, false)
    this.#against(word.atomicWrite, 'a plain write', index, false)
    for (const [thread, time] of word.atomicReads) {
      this.#against({ thread, time }, 'a plain write', index, false)
    }
    for (const [reader, time] of word.plainReads) {
      if (this.#ordered(reader, time)) continue
      const words = `thread ${this.#now} writes word ${index} that thread ${reader} may still read`
      // Whether the reader throws it away is not known before its next atomic.
      const other = this.#threads[reader]!
      if (other.unsettled.some((read) => read.word === word)) other.doubt ??= words
      else throw new Error(words)
    }
    word.plainWrite = { thread: this.#now, time: this.#threads[this.#now]!.tick(this.#now) }
    word.plainReads.clear()
  }

  #against(access: Access | undefined, what: string, index: number, settles: boolean): void {
    if (access === undefined || this.#ordered(access.thread, access.time)) return
    const words = `${what} of word ${index} by thread ${this.#now}, which nothing orders with an access by thread ${access.thread}`
    if (!settles) throw new Error(words)
    this.#threads[this.#now]!.doubt ??= words
  }

  #ordered(thread: number, time: number): boolean {
    return thread === this.#now || this.#threads[this.#now]!.clock[thread]! >= time
  }

  /** The reads since the last atomic count from here on, or never happened. */
  #settle(thrownAway: boolean): void {
    const thread = this.#threads[this.#now]!
    const { doubt, unsettled } = thread
    thread.doubt = undefined
    thread.unsettled = []
    if (thrownAway) {
      for (const { word, time } of unsettled) {
        if (word.plainReads.get(this.#now) === time) word.plainReads.delete(this.#now)
      }
    } else if (doubt !== undefined) throw new Error(doubt)
  }

  #word(index: number): Word {
    let word = this.#words.get(index)
    if (word === undefined) this.#words.set(index, (word = new Word()))
    return word
  }
}

interface Access {
  readonly thread: number
  readonly time: number
}

class Word {
  plainWrite: Access | undefined
  atomicWrite: Access | undefined
  readonly plainReads = new Map<number, number>()
  readonly atomicReads = new Map<number, number>()
  /** What the last atomic write carries. */
  released: Int32Array | undefined
}

class Thread {
  readonly clock: Int32Array
  /** Plain reads since the last atomic. */
  unsettled: { readonly word: Word; readonly time: number }[] = []
  /** What is wrong with them, unless they are thrown away. */
  doubt: string | undefined

  constructor(threads: number) {
    this.clock = new Int32Array(threads)
  }

  tick(self: number): number {
    return ++this.clock[self]!
  }

  learn(clock: Int32Array | undefined): void {
    if (clock === undefined) return
    for (let i = 0; i < clock.length; i++) this.clock[i] = Math.max(this.clock[i]!, clock[i]!)
  }
}

function indexOf(name: string | symbol): number {
  return typeof name === 'string' && /^\d+$/.test(name) ? Number(name) : -1
}
