import { type ChoiceStream } from '@commworld/transport'
import type { VirtualClock } from '../../device/carrier.js'
import { CoroutineCarrier } from '../../device/coroutine-carrier.js'
import type { RankScheduler } from '../../device/coroutine-scheduler.js'
import type { Endpoint } from '../../device/endpoint.js'
import type { Waitable } from '../../device/waitable.js'
import { Request } from '../../p2p/request.js'
import type { VirtualScheduler } from './virtual-scheduler.js'

/** Passes waking on, unless what is awaited tells by itself that it is done. */
class WakingWhereNeeded implements RankScheduler {
  readonly #scheduler: VirtualScheduler
  needless = false

  constructor(scheduler: VirtualScheduler) {
    this.#scheduler = scheduler
  }

  wake(rank: number): void {
    if (!this.needless) this.#scheduler.wake(rank)
  }

  tell(rank: number): void {
    this.#scheduler.tell(rank)
  }

  settle(): void {
    this.#scheduler.settle()
  }

  add(): void {}

  stop(): void {}

  get stopped(): boolean {
    return this.#scheduler.stopped
  }
}

/** A rank whose time is virtual. */
export class VirtualCarrier extends CoroutineCarrier {
  override readonly clock: VirtualClock
  readonly #waking: WakingWhereNeeded

  constructor(
    rank: number,
    endpoint: Endpoint,
    choices: ChoiceStream,
    parts: { scheduler: VirtualScheduler; clock: VirtualClock },
  ) {
    const waking = new WakingWhereNeeded(parts.scheduler)
    super(rank, endpoint, waking, choices)
    this.#waking = waking
    this.clock = parts.clock
  }

  override awaken(waitable: Waitable): void {
    // Requests are completed by what comes; others are looked at.
    this.#waking.needless = waitable instanceof Request
    super.awaken(waitable)
    this.#waking.needless = false
  }
}
