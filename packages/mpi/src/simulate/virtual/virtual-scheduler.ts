import type { Coroutine, RankScheduler } from '../../device/coroutine-scheduler.js'
import type { VirtualKernel } from './virtual-kernel.js'

/** After so long without a turn the event loop gets one, so that timers, signals and output go on. */
const TURN_MS = 10
/** Looks at the clock of the machine once in so many steps. */
const STEPS_PER_LOOK = 256
const RESOLVED = Promise.resolve()

/**
 * Runs ranks in virtual time: all events of one time, then everything that they make possible in the
 * programs (promises that settle), then the next time.
 */
export class VirtualScheduler implements RankScheduler {
  readonly #kernel: VirtualKernel
  readonly #coroutines: Coroutine[] = []
  readonly #ready = new Set<number>()
  readonly #onIdle: () => void
  readonly #onTurn: (() => void) | undefined
  #scheduled = false
  #settled = false
  #stopped = false
  #steps = 0
  #turnDue = 0
  readonly #run = (): void => this.#go()
  readonly #afterPromises = (): void => process.nextTick(this.#run)

  /**
   * @param onIdle called when nothing is under way and no rank has anything to do
   * @param onTurn called each time before the event loop gets a turn
   */
  constructor(kernel: VirtualKernel, onIdle: () => void, onTurn?: () => void) {
    this.#kernel = kernel
    this.#onIdle = onIdle
    this.#onTurn = onTurn
    const kick = (): void => this.#kick()
    kernel.onPush = kick
  }

  add(coroutine: Coroutine): void {
    this.#coroutines.push(coroutine)
  }

  stop(): void {
    this.#stopped = true
  }

  get stopped(): boolean {
    return this.#stopped
  }

  wake(rank: number): void {
    this.#ready.add(rank)
    this.#kick()
  }

  tell(rank: number): void {
    if (this.#coroutines[rank]!.watches) this.wake(rank)
  }

  /** A promise of a program has settled: it goes on before the next time. */
  settle(): void {
    this.#settled = true
  }

  #kick(): void {
    if (this.#scheduled || this.#stopped) return
    this.#scheduled = true
    this.#schedule()
  }

  /** Behind all promises that can settle now, as in coroutine-scheduler.ts. */
  #schedule(): void {
    if ((++this.#steps & (STEPS_PER_LOOK - 1)) !== 0) {
      void RESOLVED.then(this.#afterPromises)
      return
    }
    const now = performance.now()
    if (now < this.#turnDue) {
      void RESOLVED.then(this.#afterPromises)
    } else {
      this.#turnDue = now + TURN_MS
      this.#onTurn?.()
      setImmediate(this.#run)
    }
  }

  #go(): void {
    const { queue } = this.#kernel
    this.#settled = false
    for (;;) {
      if (this.#stopped) return
      if (this.#ready.size > 0) this.#stepReady()
      if (this.#settled) return this.#schedule()
      if (queue.size === 0) {
        this.#scheduled = false
        return this.#onIdle()
      }
      this.#kernel.step()
      if (this.#settled || (++this.#steps & (STEPS_PER_LOOK - 1)) === 0) return this.#schedule()
    }
  }

  #stepReady(): void {
    const ready = [...this.#ready]
    this.#ready.clear()
    for (const rank of ready) this.#coroutines[rank]!.step()
    this.#settled = true
  }
}
