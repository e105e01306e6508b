import type { ChoiceStream } from '../../choice/choice-stream.js'
import type { FaultJudge, FaultRule, Transmission } from './fault.js'

/**
 * What may go wrong below the library in a world whose choices are drawn.
 *
 * - `delay`: a packet is late, and those behind it overtake it
 * - `reorder`: a packet and all of its pair behind it are late, while other pairs overtake them
 * - `duplicate`, `loss`: a packet comes twice, or never
 * - `slowRank`: everything from and to one rank takes twenty times as long
 * - `queuePairError`: from some packet on nothing gets from one rank to another
 * - `crash`: a rank is gone from one of its packets on
 *
 * The first five are made good by the reliable transport: results must not change. The last two
 * end a job.
 */
export const NETWORK_FAULTS = [
  'delay',
  'reorder',
  'duplicate',
  'loss',
  'slowRank',
  'queuePairError',
  'crash',
] as const

/** A kind of fault: one of `NETWORK_FAULTS`. */
export type NetworkFault = (typeof NETWORK_FAULTS)[number]

/** A fault that has happened. */
export interface StruckFault {
  readonly kind: NetworkFault
  /** HCA indices, which are ranks; of a slow or a crashed rank both are that rank. */
  readonly source: number
  readonly destination: number
  /** Which packet of the run it was, from 1; 0 of what holds from the start. */
  readonly packet: number
}

/** A choice is one of so many: no fault of the kind, or one at the first to the last of the packets that follow. */
const SPAN = 32
/** Faults of a kind in a run: fewer than a queue pair has retries, so no loss is for good. */
const STRIKES_MAX = 6
const LATE_NS = 300_000
const SLOW_NS = 12_000

type PacketFault = Exclude<NetworkFault, 'slowRank' | 'crash'>

interface Armed {
  readonly kind: PacketFault
  /** Packets until it strikes; 0 when it does not any more. */
  left: number
  strikes: number
}

/**
 * Faults that a choice stream decides: one choice a fault and not one a packet, so that the replay
 * string of a run names its faults and little else. First come is without any.
 */
export class ChosenFaults implements FaultJudge {
  readonly #choices: ChoiceStream
  readonly #armed: Armed[] = []
  readonly #struck: StruckFault[] = []
  readonly #cut = new Set<string>()
  #slow = -1
  #crashing = -1
  #crashAt = 0
  #crashed = false
  #packets = 0
  /** Told of the rank that crashes. */
  onCrash: ((rank: number) => void) | undefined
  /** Told of each fault. */
  onStrike: (() => void) | undefined

  constructor(kinds: readonly NetworkFault[], ranks: number, choices: ChoiceStream) {
    this.#choices = choices
    // In the order of the table, whatever the order of what was asked for.
    for (const kind of NETWORK_FAULTS.filter((one) => kinds.includes(one))) this.#arm(kind, ranks)
  }

  /** What has gone wrong, in order. */
  get struck(): readonly StruckFault[] {
    return this.#struck
  }

  judge(transmission: Transmission): readonly FaultRule[] {
    const { source, destination } = transmission
    if (source === destination) return []
    this.#packets++
    const rules: FaultRule[] = []
    if (source === this.#slow || destination === this.#slow) {
      rules.push({ fault: 'hold', delayNs: SLOW_NS })
    }
    for (const armed of this.#armed) {
      if (armed.left === 0 || --armed.left > 0) continue
      rules.push(...this.#strike(armed, source, destination))
    }
    if (source === this.#crashing && --this.#crashAt === 0) this.#crash(source)
    const gone = this.#crashed && (source === this.#crashing || destination === this.#crashing)
    if (gone || this.#cut.has(`${source} ${destination}`)) rules.push({ fault: 'loss' })
    return rules
  }

  #arm(kind: NetworkFault, ranks: number): void {
    if (kind !== 'slowRank' && kind !== 'crash') {
      this.#armed.push({ kind, left: this.#choices.choose(SPAN, kind), strikes: 0 })
      return
    }
    const rank = this.#choices.choose(ranks + 1, kind, (place) => place - 1) - 1
    if (rank < 0) return
    if (kind === 'crash') {
      this.#crashing = rank
      this.#crashAt = 1 + this.#choices.choose(SPAN, 'crashAt')
    } else {
      this.#slow = rank
      this.#note({ kind, source: rank, destination: rank, packet: 0 })
    }
  }

  #strike(armed: Armed, source: number, destination: number): FaultRule[] {
    const { kind } = armed
    this.#note({ kind, source, destination, packet: this.#packets })
    if (kind === 'queuePairError') {
      this.#cut.add(`${source} ${destination}`)
      return []
    }
    if (++armed.strikes < STRIKES_MAX) armed.left = this.#choices.choose(SPAN, kind)
    if (kind === 'loss' || kind === 'duplicate') return [{ fault: kind }]
    return [{ fault: kind === 'delay' ? 'delay' : 'hold', delayNs: LATE_NS }]
  }

  /** Its HCA is left alone: whoever sends may stand in a call of the program that is gone. */
  #crash(rank: number): void {
    this.#crashed = true
    this.#note({ kind: 'crash', source: rank, destination: rank, packet: this.#packets })
    this.onCrash?.(rank)
  }

  #note(fault: StruckFault): void {
    this.#struck.push(fault)
    this.onStrike?.()
  }
}

/**
 * A line for reports: `packet 7, from rank 0 to rank 1, was lost`.
 * @example
 * describeFault({ kind: 'slowRank', source: 1, destination: 1, packet: 0 })
 * // 'everything from and to rank 1 was slow'
 */
export function describeFault({ kind, source, destination, packet }: StruckFault): string {
  const which = `packet ${packet}, from rank ${source} to rank ${destination},`
  switch (kind) {
    case 'delay':
      return `${which} was late, and those behind it overtook it`
    case 'reorder':
      return `${which} was late with all behind it, while other pairs overtook them`
    case 'duplicate':
      return `${which} came twice`
    case 'loss':
      return `${which} was lost`
    case 'slowRank':
      return `everything from and to rank ${source} was slow`
    case 'queuePairError':
      return `from packet ${packet} on nothing got from rank ${source} to rank ${destination}`
    case 'crash':
      return `rank ${source} crashed at packet ${packet}`
  }
}
