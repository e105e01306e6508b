import type { NetworkFault } from '@commworld/transport'
import type { Exploration, ExploreOptions, Progress } from '../../explore/explore.js'
import type { Bundle } from '../program/bundle.js'

/** What the thread that explores is given. Structured-cloneable. */
export interface ExploreStart {
  readonly bundle: Bundle
  readonly args: readonly string[]
  readonly ranks: number
  readonly options: Omit<ExploreOptions, 'progress'>
  /** What may go wrong in the network. */
  readonly faults: readonly NetworkFault[] | undefined
  /** After so long a run that waits for something outside of its world is given up. */
  readonly timeoutMs: number
}

export type FromExplorer =
  /** A run begins; its schedule so far is what the one before said. */
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'done'; readonly exploration: Exploration }
  /** The program cannot be explored; not on one thread when it blocks. */
  | { readonly type: 'refused'; readonly text: string; readonly blocks: boolean }
