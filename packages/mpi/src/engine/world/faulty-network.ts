import {
  ChosenFaults,
  type ChoiceStream,
  type NetworkFault,
  PacketFabric,
  type StruckFault,
} from '@commworld/transport'
import type { WorldNetwork } from '../../device/coroutine-scheduler.js'
import { LivenessError } from '../../errors/index.js'

/** What a step of a rank takes in virtual time: a message and its answer fit in. */
const STEP_NS = 10_000
/** Several times what all retries of a queue pair take, and some hundred thousand steps. */
const LIVENESS_SECONDS = 2
const NS = 1e9

export interface FaultyNetworkSettings {
  /** Virtual time after the last fault in which the world must end. Default 2. */
  readonly livenessSeconds?: number | undefined
  /** Told of the rank that crashes. */
  readonly onCrash: (rank: number) => void
}

/**
 * The network of a world of coroutines in which something may go wrong: requests are carried in
 * packets, in virtual time that goes on with the steps of ranks, and when no rank can go on, until
 * one can.
 */
export class FaultyNetwork implements WorldNetwork {
  readonly fabric: PacketFabric
  readonly #faults: ChosenFaults
  readonly #livenessNs: number
  #lastFaultNs = 0
  #failure: LivenessError | undefined

  constructor(
    kinds: readonly NetworkFault[],
    ranks: number,
    choices: ChoiceStream,
    { livenessSeconds = LIVENESS_SECONDS, onCrash }: FaultyNetworkSettings,
  ) {
    this.#livenessNs = livenessSeconds * NS
    this.#faults = new ChosenFaults(kinds, ranks, choices)
    this.#faults.onCrash = onCrash
    this.fabric = new PacketFabric({ faults: this.#faults })
    this.#faults.onStrike = () => (this.#lastFaultNs = this.fabric.time.nowNs)
  }

  get struck(): readonly StruckFault[] {
    return this.#faults.struck
  }

  /** The world goes on for too long after its last fault. */
  get failure(): LivenessError | undefined {
    return this.#failure
  }

  pass(): boolean {
    this.fabric.run(STEP_NS)
    // Without a fault it may go on as long as it likes.
    return this.struck.length === 0 || this.#isInTime()
  }

  advance(): boolean {
    return this.#isInTime() && this.fabric.step()
  }

  /** Everything that is under way arrives. */
  drain(): void {
    this.fabric.run(this.#livenessNs)
  }

  #isInTime(): boolean {
    const sinceNs = this.fabric.time.nowNs - this.#lastFaultNs
    if (sinceNs <= this.#livenessNs) return true
    const seconds = this.#livenessNs / NS
    this.#failure ??= new LivenessError({ seconds, faults: this.struck.length })
    return false
  }
}
