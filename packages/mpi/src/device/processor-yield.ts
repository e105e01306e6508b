import { createRequire } from 'node:module'

/** What this module needs of koffi. */
interface ForeignFunctions {
  load(library: string | null): { func(prototype: string): () => number }
}

/**
 * Lets another thread have the processor: the operating system's `sched_yield`, ten times better
 * than sleeping when ranks outnumber cores. koffi is loaded at the first call (some 24 ms), and
 * where it is missing the caller sleeps instead: that only costs speed.
 *
 * @returns the function, or `undefined` where there is none
 */
export function loadProcessorYield(): (() => void) | undefined {
  try {
    const koffi = createRequire(import.meta.url)('koffi') as ForeignFunctions
    return koffi.load(null).func('int sched_yield()')
  } catch {
    return undefined
  }
}
