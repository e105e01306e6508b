/**
 * An interleaving explorer for code on one thread: while `run` works, every `Atomics` call first
 * asks `interrupt`, which may carry out whole operations of other "threads" there. Such operations
 * are interrupted in turn. Together with choices drawn by a property this covers every interleaving in
 * which interruptions nest, at the granularity at which threads can see each other.
 *
 * Inside a spin lock nobody is interrupted, because the thread that holds it could not go on.
 */
export function withInterruptions<T>(interrupt: () => void, run: () => T): T {
  const real = globalThis.Atomics
  globalThis.Atomics = new Proxy(real, {
    get(target, name: keyof Atomics) {
      const operation = target[name]
      if (typeof operation !== 'function') return operation
      return (...rest: unknown[]) => {
        interrupt()
        return (operation as (...words: unknown[]) => unknown)(...rest)
      }
    },
  })
  try {
    return run()
  } finally {
    globalThis.Atomics = real
  }
}

/**
 * Draws what happens at each interruption from a list of numbers, then nothing: n runs operation
 * n - 1 and draws again, 0 goes on. `depth` bounds how deep interruptions nest.
 */
export class Interrupter {
  readonly #choices: readonly number[]
  readonly #operations: readonly (() => void)[]
  readonly #depthMax: number
  #next = 0
  #depth = 0

  constructor(choices: readonly number[], operations: readonly (() => void)[], depthMax = 3) {
    this.#choices = choices
    this.#operations = operations
    this.#depthMax = depthMax
  }

  readonly interrupt = (): void => {
    if (this.#depth >= this.#depthMax) return
    this.#depth++
    for (let choice = this.#draw(); choice > 0; choice = this.#draw()) {
      this.#operations[(choice - 1) % this.#operations.length]!()
    }
    this.#depth--
  }

  #draw(): number {
    return this.#choices[this.#next++] ?? 0
  }
}
