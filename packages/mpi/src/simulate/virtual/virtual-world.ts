import { type ChoiceStream, type WorldMemory } from '@commworld/transport'
import { EventLog, type FabricModel } from '@commworld/transport/simulated'
import type { VirtualClock } from '../../device/carrier.js'
import type { CoroutineCarrier } from '../../device/coroutine-carrier.js'
import type { RankScheduler } from '../../device/coroutine-scheduler.js'
import type { Endpoint, SharedEndpoints } from '../../device/endpoint.js'
import type { EndpointSettings } from '../../device/settings.js'
import { GoalRecorder } from '../goal/goal-recorder.js'
import { RankEnds } from './rank-ends.js'
import { RunRecord } from './run-record.js'
import { SharedBlocks } from './shared-blocks.js'
import { SlotPool } from './slot-pool.js'
import { VirtualCarrier } from './virtual-carrier.js'
import { clockCosts, virtualClock } from './virtual-clock.js'
import { VirtualEndpoint, virtualSettings } from './virtual-endpoint.js'
import { VirtualKernel } from './virtual-kernel.js'
import { VirtualScheduler } from './virtual-scheduler.js'

export interface VirtualWorldOptions {
  readonly model: FabricModel
  readonly ranks: number
  /** Hash the event log. */
  readonly digest?: boolean
  /** Keep messages and computing for pictures. */
  readonly record?: boolean
  /** Record what ranks do as a schedule. */
  readonly goal?: boolean
  /** Typed arrays are not moved, and ranks share what they allocate; see `unmoved.ts`. */
  readonly timingOnly?: boolean
  /** Called now and then, with the time that has come. */
  readonly onProgress?: ((nowPs: number) => void) | undefined
}

const EAGER_LIMIT_MAX = 2 ** 30

/** Makes the parts of a world whose time is virtual; the world puts them together. */
export class VirtualWorld {
  readonly kernel: VirtualKernel
  readonly #options: VirtualWorldOptions
  readonly endpoints: VirtualEndpoint[] = []
  readonly ends: RankEnds
  #slots: SlotPool | undefined
  #blocks: SharedBlocks | undefined
  #scheduler: VirtualScheduler | undefined

  /** @throws SimulationError when ranks do not fit */
  constructor(options: VirtualWorldOptions) {
    const { model, ranks, digest, record, goal } = options
    this.#options = options
    const log = digest === true ? new EventLog() : undefined
    const kept = record === true ? new RunRecord() : undefined
    const recorder = goal === true ? new GoalRecorder(ranks) : undefined
    this.kernel = new VirtualKernel({ model, ranks, log, record: kept, goal: recorder })
    this.ends = new RankEnds(this.kernel, ranks)
  }

  get timingOnly(): boolean {
    return this.#options.timingOnly === true
  }

  /** Whether all ranks are on one host: only there collectives may go by shared memory. */
  get sharesHost(): boolean {
    const { hostOf } = this.kernel
    return hostOf.every((host) => host === hostOf[0])
  }

  /** Longest messages that do not wait for their receiver. */
  get eagerLimitBytes(): number {
    return Math.min(this.kernel.costs.network.eagerLimitBytes, EAGER_LIMIT_MAX)
  }

  scheduler(onIdle: () => void): RankScheduler {
    const { onProgress } = this.#options
    const onTurn = onProgress && (() => onProgress(this.kernel.queue.now))
    this.#scheduler = new VirtualScheduler(this.kernel, onIdle, onTurn)
    return this.#scheduler
  }

  endpoint(
    memory: WorldMemory,
    rank: number,
    settings: EndpointSettings,
    shared: SharedEndpoints,
  ): Endpoint {
    this.#slots ??= new SlotPool(memory)
    const { kernel } = this
    const movesData = !this.timingOnly
    const parts = { kernel, slots: this.#slots, movesData, shared }
    const endpoint = new VirtualEndpoint(memory, rank, virtualSettings(settings), parts)
    if (this.timingOnly) {
      this.#blocks ??= new SharedBlocks(memory.heap)
      endpoint.registered.blocks = this.#blocks.ofRank()
    }
    const onSent = (): void => this.#scheduler!.wake(rank)
    endpoint.onSent = onSent
    this.endpoints.push(endpoint)
    return endpoint
  }

  carrier(rank: number, endpoint: Endpoint, choices: ChoiceStream): CoroutineCarrier {
    const clock = this.#clockOf(rank)
    return new VirtualCarrier(rank, endpoint, choices, { scheduler: this.#scheduler!, clock })
  }

  /** The program of a rank has returned. */
  returned(rank: number): void {
    this.ends.returned(rank)
  }

  #clockOf(rank: number): VirtualClock {
    return virtualClock(this.kernel, rank, clockCosts(this.kernel.model), !this.timingOnly)
  }
}
