import type { ChoiceStream, WorldMemory } from '@commworld/transport'
import type { Carrier } from '../../device/carrier.js'
import type { Endpoint } from '../../device/endpoint.js'
import type { EndpointSettings } from '../../device/settings.js'
import type { ReportCall } from '../../device/waitable.js'
import type { RankRecord } from '../../record/rank-record.js'
import type { Slots } from '../virtual/slot-pool.js'
import { VirtualEndpoint, virtualSettings } from '../virtual/virtual-endpoint.js'
import { ClockBoard, type FabricFacts } from './clock-board.js'
import { RemoteClock } from './remote-clock.js'
import { TurnCarrier } from './turn-carrier.js'

/** What the job's main thread gives to a rank on a thread whose time is virtual. */
export interface ClockShare {
  readonly board: SharedArrayBuffer
  readonly ranks: number
  readonly recordsGoal: boolean
  /** Typed arrays are not moved. */
  readonly timingOnly: boolean
  /** What measured time counts for computing; 0 for nothing. */
  readonly computeScale: number
}

/** Whose turn it is to run, as the life of a rank sees it. */
export interface Turns {
  readonly held: boolean
  /** By one rank, once, when all have attached. */
  begin(): void
  acquire(look: () => void): void
  /** The rank has ended. */
  release(): void
}

/** Slots are taken here and given back by the receiver's thread: by way of the world's heap. */
class HeapSlots implements Slots {
  readonly #memory: WorldMemory

  constructor(memory: WorldMemory) {
    this.#memory = memory
  }

  take(bytes: number): number {
    return this.#memory.heap.allocate(bytes)
  }

  give(address: number): void {
    this.#memory.heap.free(address)
  }
}

/** The parts of one rank on a thread whose time is virtual. Blocks until the fabric is open. */
export class ThreadRankParts {
  readonly eagerLimitBytes: number
  readonly #rank: number
  readonly #movesData: boolean
  readonly #clock: RemoteClock
  readonly #facts: FabricFacts
  #endpoint: VirtualEndpoint | undefined

  constructor(rank: number, share: ClockShare) {
    const shared = new ClockBoard(share.ranks, share.board)
    this.#rank = rank
    this.#movesData = !share.timingOnly
    this.#facts = shared.awaitOpen()
    this.#clock = new RemoteClock(rank, shared, share)
    this.eagerLimitBytes = this.#facts.eagerLimitBytes
  }

  endpoint(memory: WorldMemory, settings: EndpointSettings): Endpoint {
    const movesData = this.#movesData
    const parts = { kernel: this.#clock, slots: new HeapSlots(memory), movesData }
    this.#endpoint = new VirtualEndpoint(memory, this.#rank, virtualSettings(settings), parts)
    return this.#endpoint
  }

  carrier(
    memory: WorldMemory,
    record: RankRecord,
    options: { choices: ChoiceStream; report: ReportCall },
  ): { carrier: Carrier; turns: Turns } {
    const clock = this.#clock
    const movesData = this.#movesData
    const parts = { clock, costs: this.#facts, movesData, record, ...options }
    const carrier = new TurnCarrier(memory, this.#endpoint!, this.#rank, parts)
    const turns: Turns = {
      get held() {
        return clock.held
      },
      begin() {},
      acquire: () => carrier.begin(),
      release: () => carrier.leave(),
    }
    return { carrier, turns }
  }

  /** The program has returned. */
  returned(): void {
    this.#clock.returned()
  }
}
