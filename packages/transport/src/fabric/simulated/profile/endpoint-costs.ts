import { picoseconds } from '../kernel/time.js'
import type { EndpointProfile, NetworkProfile } from './profile.js'
import { SizeTable } from './size-table.js'

/**
 * A profile in whole picoseconds, cut into the parts of one message:
 *
 * ```
 *   eager         | o send | latency | extra | bytes | o receive |
 *   rendezvous    | o send | latency -> | o receive | <- latency | latency | extra | bytes | o receive |
 * ```
 *
 * `bytes` keeps both interfaces busy, `extra` is what the table says beyond that. The table includes the
 * handshake where there is one, so that is taken out of `extra`.
 */
export class EndpointCosts {
  readonly sendOverheadPs: number
  readonly receiveOverheadPs: number
  readonly gapPs: number
  readonly eagerLimitBytes: number
  /** Between the ends that were measured. */
  readonly latencyPs: number
  readonly #nsPerByte: number
  readonly #startNs: number
  readonly #handshakeNs: number
  readonly #table: SizeTable
  // Ranks of a collective mostly send messages of one size.
  #lastBytes = -1
  #lastTime = 0
  #lastExtra = 0

  constructor(profile: EndpointProfile, options: { readonly handshake?: boolean } = {}) {
    this.#table = new SizeTable(profile.knots)
    this.#nsPerByte = profile.nsPerByte.value
    this.#startNs = this.#table.at(0)
    this.sendOverheadPs = picoseconds(profile.sendOverheadNs.value)
    this.receiveOverheadPs = picoseconds(profile.receiveOverheadNs.value)
    this.gapPs = picoseconds(profile.gapNs.value)
    this.eagerLimitBytes = profile.eagerLimitBytes.value
    this.latencyPs = picoseconds(this.#startNs) - this.sendOverheadPs - this.receiveOverheadPs
    if (this.latencyPs < 0) {
      throw new RangeError(`the overheads of ${profile.name} are more than its shortest message`)
    }
    const handshakePs = 2 * this.latencyPs + this.receiveOverheadPs
    this.#handshakeNs = options.handshake === false ? 0 : handshakePs / 1000
  }

  isEager(bytes: number): boolean {
    return bytes <= this.eagerLimitBytes
  }

  /** How long the bytes of a message keep an interface busy: (n - 1) G, as LogGP counts. */
  bytesPs(bytes: number): number {
    this.#look(bytes)
    return this.#lastTime
  }

  /** What a lone message takes beyond latency, bytes and overheads. */
  extraPs(bytes: number): number {
    this.#look(bytes)
    return this.#lastExtra
  }

  /** The table itself: a lone message between the ends that were measured. */
  isolatedPs(bytes: number): number {
    return picoseconds(this.#table.at(bytes))
  }

  #look(bytes: number): void {
    if (bytes === this.#lastBytes) return
    this.#lastBytes = bytes
    this.#lastTime = bytes < 2 ? 0 : picoseconds((bytes - 1) * this.#nsPerByte)
    const handshakePs = this.isEager(bytes) ? 0 : picoseconds(this.#handshakeNs)
    const beyondPs = picoseconds(this.#table.at(bytes) - this.#startNs) - handshakePs
    this.#lastExtra = Math.max(0, beyondPs - this.#lastTime)
  }
}

/** The costs of a network, whose latency grows with the switches on the way. */
export class NetworkCosts extends EndpointCosts {
  readonly hopPs: number
  readonly #hopsMeasured: number

  constructor(profile: NetworkProfile, options: { readonly handshake?: boolean } = {}) {
    super(profile, options)
    this.hopPs = picoseconds(profile.hopNs.value)
    this.#hopsMeasured = profile.hopsMeasured.value
  }

  /** Latency over this many switches. */
  latencyOver(hops: number): number {
    return Math.max(0, this.latencyPs + (hops - this.#hopsMeasured) * this.hopPs)
  }
}
