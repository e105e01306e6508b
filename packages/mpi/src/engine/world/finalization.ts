import { MpiError } from '../../errors/index.js'
import type { Waitable } from '../../device/waitable.js'
import type { FinalizeFacts } from '../../record/finalize-facts.js'
import type { OperationRecord } from '../../record/operation.js'
import type { Wait } from '../../record/rank-snapshot.js'
import { describeUnexpected } from './rank-snapshot-of.js'
import type { Rank } from '../rank.js'

/** How many left-overs of a kind a report lists; it counts all. */
const LISTED = 1000

/**
 * The end of a rank (MPI 4.1, section 11.2.2): what completes by itself does so first - messages
 * that wait for room, buffered sends, sends whose request was freed - and then the rank is gone.
 */
export class Finalization implements Waitable {
  onDone: (() => void) | undefined
  readonly #rank: Rank

  constructor(rank: Rank) {
    this.#rank = rank
  }

  get done(): boolean {
    const { endpoint, outbox } = this.#rank
    return !endpoint.unsent && outbox.bufferedBytes === 0 && outbox.detached === 0
  }

  missing(): Wait {
    return {
      mode: 'and',
      arcs: [...this.#rank.outbox.pending()]
        .filter((send) => send.completesAlone)
        .flatMap((send) => send.missing().arcs),
    }
  }

  describe(): OperationRecord {
    const { world, log } = this.#rank
    return {
      name: 'finalize',
      communicator: world.name,
      context: world.sendContext,
      sequence: log.count,
    }
  }

  /** Ends when it is done, on either carrier. */
  wait(): Promise<void> {
    const { carrier } = this.#rank
    if (carrier.blocks) {
      carrier.block(this)
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      this.onDone = resolve
      carrier.awaken(this)
    })
  }

  /** What the program left undone. */
  facts(): FinalizeFacts {
    const { openRequests, inbox } = this.#rank
    const open = openRequests.unobserved()
    const failed = open.filter((request) => request.error !== undefined)
    const forgotten = open.filter((request) => request.error === undefined)
    return {
      rank: this.#rank.rank,
      openRequests: forgotten.slice(0, LISTED).map((request) => ({
        operation: request.describe(),
        complete: request.done,
      })),
      failedRequests: failed.slice(0, LISTED).map((request) => ({
        operation: request.describe(),
        code: request.error instanceof MpiError ? request.error.code : 'MPI_ERR_OTHER',
        message: request.error!.message,
      })),
      unreceived: [...inbox.unexpected]
        .slice(0, LISTED)
        .map((message) => describeUnexpected(this.#rank, message)),
      counts: {
        openRequests: forgotten.length,
        failedRequests: failed.length,
        unreceived: inbox.unexpected.size,
      },
    }
  }
}
