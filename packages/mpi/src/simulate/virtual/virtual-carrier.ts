import { type ChoiceStream } from '@commworld/transport'
import type { VirtualClock } from '../../device/carrier.js'
import { CoroutineCarrier } from '../../device/coroutine-carrier.js'
import type { Endpoint } from '../../device/endpoint.js'
import type { Waitable } from '../../device/waitable.js'
import type { VirtualScheduler } from './virtual-scheduler.js'

/** A rank whose time is virtual. */
export class VirtualCarrier extends CoroutineCarrier {
  override readonly clock: VirtualClock
  readonly #scheduler: VirtualScheduler

  constructor(
    rank: number,
    endpoint: Endpoint,
    choices: ChoiceStream,
    parts: { scheduler: VirtualScheduler; clock: VirtualClock },
  ) {
    super(rank, endpoint, parts.scheduler, choices)
    this.#scheduler = parts.scheduler
    this.clock = parts.clock
  }

  override awaken(waitable: Waitable): void {
    super.awaken(waitable)
    const settle = waitable.onDone!
    waitable.onDone = () => {
      this.#scheduler.settle()
      settle()
    }
  }
}
