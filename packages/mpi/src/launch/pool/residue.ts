/** What a program can leave behind in its thread, so that the next one is not alone. */
export class Residue {
  readonly #globals = new Set(Object.getOwnPropertyNames(globalThis))
  readonly #resources = countResources()
  readonly #listeners = process.listenerCount('uncaughtException')

  /** What is there that was not when this was made, a sentence each. */
  find(): string[] {
    const found = Object.getOwnPropertyNames(globalThis)
      .filter((name) => !this.#globals.has(name))
      .map((name) => `the program left the global variable ${name}`)
    for (const [type, count] of countResources()) {
      const more = count - (this.#resources.get(type) ?? 0)
      if (more > 0) found.push(`the program left ${more} open ${type}`)
    }
    if (process.listenerCount('uncaughtException') > this.#listeners) {
      found.push('the program left a handler of uncaught exceptions')
    }
    return found
  }
}

/** What comes and goes by itself; the ports are those of the thread's output. */
const PASSING: ReadonlySet<string> = new Set(['Immediate', 'TickObject', 'MessagePort'])

/** Timers, sockets and the like, but for what Node itself has for a moment. */
function countResources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const type of process.getActiveResourcesInfo()) {
    if (PASSING.has(type) || type.startsWith('FSReq')) continue
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return counts
}
