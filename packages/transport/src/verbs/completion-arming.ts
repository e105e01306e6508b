import { COMPLETION_SOLICITED, CQ_BYTES, CQ_CLAIMED, CQ_MASK } from '../wire/completion-queue.js'
import { CQE_BYTES, CQE_CONTROL, CQE_TURN } from '../wire/completion-queue.js'

/**
 * Whether a completion queue owes its channel an event. Who pushes a completion does nothing for it:
 * an arm notes how many completions had been pushed, and who asks for an event looks whether one of
 * those since is of the kind asked for. So channels cost nothing where they are not used.
 *
 * An entry that has been overwritten by then counts as an event: one too many is allowed, one too
 * few is not (ibv_get_cq_event.3).
 */
export class CompletionArming {
  readonly #i32: Int32Array
  #cq = 0
  #armed: 'no' | 'solicited' | 'any' = 'no'
  #since = 0
  /** Events earned by arms that were followed by others before anybody asked. */
  #earned = 0
  /** Events taken and not acknowledged. */
  unacknowledged = 0

  constructor(i32: Int32Array) {
    this.#i32 = i32
  }

  arm(cq: number, solicitedOnly: boolean): void {
    this.#collect()
    // The wider of two arms holds, from the earlier one on.
    if (this.#armed !== 'no') {
      if (!solicitedOnly) this.#armed = 'any'
      return
    }
    this.#cq = cq
    this.#armed = solicitedOnly ? 'solicited' : 'any'
    this.#since = Atomics.load(this.#i32, (cq + CQ_CLAIMED) >>> 2) // what comes later counts
  }

  /** Takes an event, if one is due. */
  take(): boolean {
    this.#collect()
    if (this.#earned === 0) return false
    this.#earned--
    this.unacknowledged++
    return true
  }

  /** The queue goes on in another ring, from its start. */
  move(cq: number): void {
    this.#collect()
    this.#cq = cq
    this.#since = 0
  }

  #collect(): void {
    if (this.#armed === 'no' || !this.#isDue()) return
    this.#armed = 'no'
    this.#earned++
  }

  #isDue(): boolean {
    const i32 = this.#i32
    const cq = this.#cq
    const claimed = Atomics.load(i32, (cq + CQ_CLAIMED) >>> 2) // moved by producers
    const mask = i32[(cq + CQ_MASK) >>> 2]!
    if (((claimed - this.#since) | 0) > mask) return true
    for (let position = this.#since; position !== claimed; position = (position + 1) | 0) {
      const entry = (cq + CQ_BYTES + (position & mask) * CQE_BYTES) >>> 2
      const turn = (position >>> (32 - Math.clz32(mask))) + 1
      if (Atomics.load(i32, entry + (CQE_TURN >> 2)) !== turn) return false // claimed, not written yet
      const control = i32[entry + (CQE_CONTROL >> 2)]!
      const solicited = (control & 0xff) !== 0 || ((control >>> 16) & COMPLETION_SOLICITED) !== 0
      if (this.#armed === 'any' || solicited) return true
      this.#since = (position + 1) | 0 // looked at: a wider arm begins behind it
    }
    return false
  }
}
