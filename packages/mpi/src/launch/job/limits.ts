/** Bounds of a world that the launcher states and checks; beyond them a machine thrashes. */

/** Worker threads of one job. */
export const THREAD_RANKS_MAX = 1024

/** Ranks with threads of their own in virtual time: each message wakes one of them. */
export const VIRTUAL_THREADS_MAX = 128

/** Coroutine ranks of one job (`--in-process`). */
export const COROUTINE_RANKS_MAX = 16384

/** A world smaller than this has no room for its own queues. */
export const MEMORY_BYTES_MIN = 2 ** 20

/** WebAssembly addresses end here. */
export const MEMORY_BYTES_MAX = 2 ** 32

/** Below this a rank's V8 heap does not hold the library and a program. */
export const HEAP_BYTES_MIN = 16 * 2 ** 20

/** Virtual worlds of more ranks than this get all the memory that there may be. */
const MANY_RANKS = 4096

/** Memory of a world in virtual time where nobody says more; pages that are not touched cost nothing. */
export function virtualMemoryBytes(ranks: number): number {
  return ranks > MANY_RANKS ? MEMORY_BYTES_MAX : 2 ** 30
}
