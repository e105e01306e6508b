import { createRequire } from 'node:module'

/** What this module needs of koffi. */
interface ForeignFunctions {
  load(library: string | null): { func(prototype: string): () => number }
}

/**
 * Lets another thread have the processor: the operating system's `sched_yield`, ten times better
 * than sleeping when ranks outnumber cores. Loading koffi takes some 24 ms; where it is missing
 * nothing is given away, which only costs speed.
 */
export function loadProcessorYield(): () => void {
  try {
    const koffi = createRequire(import.meta.url)('koffi') as ForeignFunctions
    return koffi.load(null).func('int sched_yield()')
  } catch {
    return () => {}
  }
}
