import { enterHca, leaveHca } from '../hca/memory/access-slot.js'
import { peerOf } from '../hca/queue-pair/error-state.js'
import type { Hca } from '../hca/hca.js'
import { checkRegion, findValidRegion } from '../hca/memory/region-table.js'
import { QP_ACCESS, QP_DOMAIN, QP_HCA, QP_NUMBER, QP_STATE } from '../wire/queue-pair.js'
import { READY_TO_SEND, receives } from '../wire/queue-pair-state.js'
import type { AccessFlags } from './access.js'

/**
 * A range of a peer's memory that this thread may use as RDMA would, without a request for each use.
 * Everything an HCA checks was checked when it was made; `valid` says whether it still holds.
 *
 * A use that follows `valid` at once may still overlap a deregistration by the peer. Where the peer
 * may take the memory away under way, put the use between `enter` and `leave`: the peer's
 * `deregister` then waits for it.
 */
export class CheckedMapping {
  readonly #hca: Hca
  /** Address of the range's first byte, for this thread's views of the world's memory. */
  readonly address: number
  readonly bytes: number
  readonly #peerBlock: number
  readonly #region: number
  readonly #key: number
  readonly #stateIndex: number
  readonly #peerStateIndex: number
  readonly #peerNumberIndex: number
  readonly #peerNumber: number
  readonly #numberIndex: number
  readonly #number: number

  private constructor(
    hca: Hca,
    queuePair: number,
    peer: number,
    region: number,
    key: number,
    range: { address: number; bytes: number },
  ) {
    const { i32 } = hca
    this.#hca = hca
    this.address = range.address
    this.bytes = range.bytes
    this.#peerBlock = hca.u32[(peer + QP_HCA) >>> 2]!
    this.#region = region
    this.#key = key | 0
    this.#stateIndex = (queuePair + QP_STATE) >>> 2
    this.#peerStateIndex = (peer + QP_STATE) >>> 2
    this.#numberIndex = (queuePair + QP_NUMBER) >>> 2
    this.#number = i32[this.#numberIndex]!
    this.#peerNumberIndex = (peer + QP_NUMBER) >>> 2
    this.#peerNumber = i32[this.#peerNumberIndex]!
  }

  /** Made by `Device.map`. */
  static create(
    hca: Hca,
    queuePair: number,
    address: number,
    bytes: number,
    key: number,
    access: AccessFlags,
  ): CheckedMapping | undefined {
    const { i32, u32 } = hca
    if (!hca.fabric.mapsMemory) return undefined
    const peer = peerOf(i32, queuePair)
    if (peer === 0 || (i32[(peer + QP_ACCESS) >>> 2]! & access) !== access) return undefined
    const region = findValidRegion(i32, u32[(peer + QP_HCA) >>> 2]!, key)
    const domain = u32[(peer + QP_DOMAIN) >>> 2]!
    if (checkRegion(hca, region, domain, address, bytes, access) !== 0) return undefined
    const mapping = new CheckedMapping(hca, queuePair, peer, region, key, { address, bytes })
    return mapping.valid() ? mapping : undefined
  }

  /** Whether a request would still be carried out, as far as this thread has heard: plain loads. */
  valid(): boolean {
    const { i32 } = this.#hca
    return (
      i32[this.#stateIndex] === READY_TO_SEND && // own queue pair sends
      receives(i32[this.#peerStateIndex]!) && // the peer's takes
      i32[this.#region >>> 2] === this.#key && // the region is the one checked
      i32[this.#numberIndex] === this.#number && // neither was destroyed and made anew
      i32[this.#peerNumberIndex] === this.#peerNumber
    )
  }

  /** Announces a use and says whether it is allowed. Call `leave` after it in either case. */
  enter(): boolean {
    enterHca(this.#hca, this.#peerBlock)
    Atomics.load(this.#hca.i32, this.#region >>> 2) // after the announcement, before the look
    return this.valid()
  }

  /** Ends the use. */
  leave(): void {
    leaveHca(this.#hca)
  }
}
