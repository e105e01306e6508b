import { directFabric } from '../direct.js'
import type { Fabric, Responder } from '../fabric.js'
import type { FaultPlan } from './fault-plan.js'
import type { Transmission } from './fault.js'

const SUCCESS = 0
const BAD_RESPONSE = 7
const RETRY_EXCEEDED = 12
const RECEIVER_NOT_READY_RETRY_EXCEEDED = 13
const FOR_EVER = 7

/**
 * A fabric that carries requests as `inner` does, with the faults of a plan. A request that is lost
 * is tried again as often as its queue pair says, each attempt being a transmission to the plan; the
 * waiting in between takes virtual time only. A malformed answer comes once the request has been
 * carried out. To be given to `Device.open` of each device whose
 * requests the plan is about.
 */
export class FaultyFabric implements Fabric {
  readonly #plan: FaultPlan
  readonly #inner: Fabric
  #waitedNs = 0

  constructor(plan: FaultPlan, inner: Fabric = directFabric) {
    this.#plan = plan
    this.#inner = inner
  }

  /** A mapping would go round the plan. */
  readonly mapsMemory = false

  get dataInOrder(): boolean {
    return this.#inner.dataInOrder ?? false
  }

  /** Virtual time that requests have waited for answers that did not come. */
  get waitedNs(): number {
    return this.#waitedNs
  }

  carry(responder: Responder, queuePair: number, entry: number): number {
    const { retries, receiverNotReadyRetries, timeoutNs, receiverNotReadyNs, ...first } =
      responder.describe(queuePair, entry)
    let transmission: Transmission = first
    let losses = 0
    let refusals = 0
    for (;;) {
      let [lost, refused, malformed] = [false, false, false]
      for (const rule of this.#plan.judge(transmission)) {
        if ('hca' in rule) responder.suffer(rule)
        else if (rule.fault === 'loss' || rule.fault === 'corruption') lost = true
        else if (rule.fault === 'malformed') malformed = true
        else if (rule.fault === 'receiverNotReady') refused = true
        else if (rule.fault === 'delay' || rule.fault === 'hold')
          this.#waitedNs += rule.delayNs ?? timeoutNs
      }
      if (!lost && !refused) {
        const outcome = this.#inner.carry(responder, queuePair, entry)
        return malformed && outcome === SUCCESS ? responder.giveUp(BAD_RESPONSE) : outcome
      }
      if (lost) {
        this.#waitedNs += timeoutNs
        if (!responder.isReliable(queuePair)) return 0
        if (losses++ < retries) continue
        if (!responder.migrate(queuePair)) return responder.giveUp(RETRY_EXCEEDED)
        transmission = responder.describe(queuePair, entry)
        losses = 0
      } else {
        // Refused: waits as long as the peer asks, then tries again.
        if (receiverNotReadyRetries !== FOR_EVER && refusals++ >= receiverNotReadyRetries) {
          return responder.giveUp(RECEIVER_NOT_READY_RETRY_EXCEEDED)
        }
        this.#waitedNs += receiverNotReadyNs
      }
    }
  }
}
