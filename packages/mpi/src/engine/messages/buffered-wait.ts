import type { Waitable } from '../../device/waitable.js'
import type { OperationRecord } from '../../record/operation.js'
import type { Wait } from '../../record/rank-snapshot.js'
import type { Rank } from '../rank.js'

/** Waits until no buffered send is under way. */
export class BufferedWait implements Waitable {
  onDone: (() => void) | undefined
  readonly #rank: Rank

  constructor(rank: Rank) {
    this.#rank = rank
  }

  get done(): boolean {
    return this.#rank.outbox.bufferedBytes === 0
  }

  missing(): Wait {
    const pending = [...this.#rank.outbox.pending()].filter((send) => send.transfer!.buffered > 0)
    return { mode: 'and', arcs: pending.flatMap((send) => send.missing().arcs) }
  }

  describe(): OperationRecord {
    const { world, log } = this.#rank
    return {
      name: 'wait',
      communicator: world.name,
      context: world.sendContext,
      sequence: log.count,
    }
  }
}
