import type { Monitor } from '../../engine/index.js'

/** What is watched of a world. */
export type WorldMonitor = Pick<
  Monitor,
  'waits' | 'transitions' | 'requestSnapshot' | 'abort' | 'failed'
>

/** Coroutines watch themselves: their thread knows at once when none of them can go on. */
export const NOBODY: WorldMonitor = {
  waits: () => [],
  transitions: () => new Int32Array(0),
  requestSnapshot() {},
  abort() {},
  failed() {},
}
