import type { ChoiceStream } from '@commworld/transport'

/** What the scheduler runs: one rank of a world whose ranks share a thread. */
export interface Coroutine {
  /** Starts, or takes in one message. */
  step(): void
  /** Whether anything has come, or can be sent, that a step would take in. */
  readonly ready: boolean
  /** Whether it waits for what others write where all can read it. */
  readonly watches: boolean
}

/** Decides which rank of a shared thread goes on next. */
export interface RankScheduler {
  /** Ranks are added in their order. */
  add(coroutine: Coroutine): void
  /** Something has come for a rank. */
  wake(rank: number): void
  /** Something was written that a rank may watch. */
  tell(rank: number): void
  /** A promise of a program has settled: it goes on before any other rank. */
  settle(): void
  /** No rank runs from here on: the memory of the world may belong to the next one. */
  stop(): void
  readonly stopped: boolean
}

/** What lies between ranks where messages take time of their own. */
export interface WorldNetwork {
  /** A rank's step takes time, in which messages move; false when the world is to end. */
  pass(): boolean
  /** No rank can go on: the next thing happens; false when nothing is under way. */
  advance(): boolean
}

/** After so long without a turn the event loop gets one, so that timers and files go on. */
const TURN_MS = 4
/** Looks at the clock of the machine once in so many steps. */
const STEPS_PER_LOOK = 16
/** When the event loop of this thread is due its turn, whichever of its worlds comes to that. */
let turnDue = 0
const RESOLVED = Promise.resolve()

/**
 * Runs ranks that share a thread, one message at a time: which rank goes on next is a choice. A step
 * is followed by everything that it makes possible in the program (promises that settle), so a
 * run is a function of the program and its choices.
 */
export class CoroutineScheduler implements RankScheduler {
  readonly #choices: ChoiceStream
  readonly #coroutines: Coroutine[] = []
  /** Ranks that have something to do, in the order in which it came. */
  readonly #ready = new Set<number>()
  readonly #onIdle: () => void
  readonly #network: WorldNetwork | undefined
  #scheduled = false
  #settled = false
  #steps = 0
  #stopped = false
  readonly #run = (): void => this.#go()
  readonly #identify = (place: number): number => [...this.#ready][place]!
  readonly #afterPromises = (): void => process.nextTick(this.#run)

  /** @param onIdle called when no rank has anything to do */
  constructor(choices: ChoiceStream, onIdle: () => void, network?: WorldNetwork) {
    this.#choices = choices
    this.#onIdle = onIdle
    this.#network = network
  }

  /** Ranks are added in their order. */
  add(coroutine: Coroutine): void {
    this.#coroutines.push(coroutine)
  }

  /** No rank runs from here on: the memory of the world may belong to the next one. */
  stop(): void {
    this.#stopped = true
  }

  get stopped(): boolean {
    return this.#stopped
  }

  /** Something has come for a rank. */
  wake(rank: number): void {
    this.#ready.add(rank)
    if (this.#scheduled || this.#stopped) return
    this.#scheduled = true
    this.#schedule()
  }

  tell(rank: number): void {
    if (this.#coroutines[rank]!.watches) this.wake(rank)
  }

  settle(): void {
    this.#settled = true
  }

  /**
   * Behind all promises that can settle now: a tick that is asked for by a promise comes when no
   * promise is left, while one that is asked for by a tick would come before them.
   */
  #schedule(): void {
    if (this.#steps++ % STEPS_PER_LOOK === 0) {
      const now = performance.now()
      if (now >= turnDue) {
        turnDue = now + TURN_MS
        setImmediate(this.#run)
        return
      }
    }
    void RESOLVED.then(this.#afterPromises)
  }

  /** Steps until one has let a program go on. */
  #go(): void {
    this.#settled = false
    for (let steps = 0; steps < STEPS_PER_LOOK && !this.#settled; steps++) {
      if (this.#stopped) return
      if (this.#network !== undefined && !this.#letArrive(this.#network)) return this.#onIdle()
      if (this.#stopped) return
      if (this.#ready.size === 0) this.#findForgotten()
      if (this.#ready.size === 0) {
        this.#scheduled = false
        this.#onIdle()
        return
      }
      this.#step()
    }
    this.#schedule()
  }

  #step(): void {
    const rank = this.#choose()
    const coroutine = this.#coroutines[rank]!
    this.#ready.delete(rank)
    coroutine.step()
    if (coroutine.ready) this.#ready.add(rank)
  }

  #letArrive(network: WorldNetwork): boolean {
    if (!network.pass()) return false
    this.#findForgotten()
    while (this.#ready.size === 0 && !this.#stopped && network.advance()) this.#findForgotten()
    return true
  }

  #choose(): number {
    const place = this.#choices.choose(this.#ready.size, 'run', this.#identify)
    if (place === 0) return this.#ready.values().next().value!
    return [...this.#ready][place]!
  }

  /** A send that waited for its receiver is driven on by its own rank, which nobody has woken. */
  #findForgotten(): void {
    for (let rank = 0; rank < this.#coroutines.length; rank++) {
      if (this.#coroutines[rank]!.ready) this.#ready.add(rank)
    }
  }
}
