import {
  choiceSource,
  type Capture,
  ChoiceRecorder,
  type ChoiceSource,
  startChoices,
  type RecordedDeviation,
  type WorldMemory,
} from '@commworld/transport'
import { choiceState } from '../../device/choice-state.js'
import { CoroutineCarrier } from '../../device/coroutine-carrier.js'
import {
  CoroutineScheduler,
  type Coroutine,
  type RankScheduler,
} from '../../device/coroutine-scheduler.js'
import type { Endpoint } from '../../device/endpoint.js'
import { captureOfAll } from '../../device/traffic-capture.js'
import { findDeadlock } from '../../diagnose/wait-graph.js'
import { AgreementError } from '../../errors/index.js'
import type { FinalizeFacts } from '../../record/finalize-facts.js'
import type { RankSnapshot, RankWait } from '../../record/rank-snapshot.js'
import type { VirtualWorld } from '../../simulate/virtual/virtual-world.js'
import { OutsideWatch } from './outside-watch.js'
import { RankRuntime } from './rank-runtime.js'
import { World } from './world.js'
import type { WorldOptions } from './world-options.js'

/** How a world of coroutines ended. */
export type CoroutineOutcome =
  | {
      readonly kind: 'finished'
      readonly values: readonly unknown[]
      readonly facts: readonly FinalizeFacts[]
    }
  | {
      readonly kind: 'failed'
      readonly rank: number
      readonly error: unknown
      /** Of calls that do not agree, where that is wanted: what the other ranks called. */
      readonly others: OtherMembers | undefined
    }
  | {
      readonly kind: 'deadlock'
      readonly waits: readonly RankWait[]
      readonly snapshots: readonly RankSnapshot[]
    }

/** What was with the others when a rank failed. */
export interface OtherMembers {
  readonly failures: readonly { readonly rank: number; readonly error: unknown }[]
  readonly waits: readonly RankWait[]
  readonly snapshots: readonly RankSnapshot[]
}

export interface CoroutineSettings {
  /** Where choices come from; what the options say when left out. */
  readonly source?: ChoiceSource | undefined
  /** How long nothing may come from outside before ranks that await are taken for stuck. */
  readonly quietMs?: number | undefined
  /** Whether calls that do not agree are told of all ranks: they go on until they come to theirs. */
  readonly settles?: boolean | undefined
  /** Makes the ranks of a world whose time is virtual. */
  readonly virtual?: VirtualWorld | undefined
}

/** The others come to the call that does not agree within this time, or are elsewhere. */
const SETTLE_MS = 100

/** One rank of the world: its coroutine from the start of main to the end of finalize. */
class Member implements Coroutine {
  readonly runtime: RankRuntime
  readonly carrier: CoroutineCarrier
  started = false
  finished = false
  failed = false
  readonly #start: () => void

  constructor(runtime: RankRuntime, carrier: CoroutineCarrier, start: (member: Member) => void) {
    this.runtime = runtime
    this.carrier = carrier
    this.#start = () => start(this)
  }

  get ready(): boolean {
    return !this.started || this.carrier.ready
  }

  step(): void {
    if (this.started) {
      this.carrier.step()
    } else {
      this.started = true
      this.#start()
    }
  }
}

/**
 * A world whose ranks are coroutines on the calling thread. A run is a function of the program and
 * the choices, as long as the program takes nothing from outside.
 */
export class CoroutineWorld {
  readonly #members: Member[] = []
  /** Records what crosses the fabric, where that is wanted. */
  readonly #capture: Capture | undefined
  readonly #values: unknown[] = []
  readonly #scheduler: RankScheduler
  readonly #virtual: VirtualWorld | undefined
  readonly #choices: ChoiceRecorder
  readonly #outside: OutsideWatch
  readonly #settles: boolean
  readonly #failures: { readonly rank: number; readonly error: unknown }[] = []
  #settled: NodeJS.Timeout | undefined
  #end: (outcome: CoroutineOutcome) => void = () => {}
  #left: number

  constructor(
    memory: WorldMemory,
    options: WorldOptions,
    main: (runtime: RankRuntime) => unknown,
    { source = choiceSource(options), quietMs, settles = false, virtual }: CoroutineSettings = {},
  ) {
    this.#settles = settles
    World.on(memory, options)
    this.#capture = captureOfAll(options.pcap)
    this.#left = options.ranks
    this.#choices = new ChoiceRecorder(startChoices(source, choiceState(memory)))
    this.#outside = new OutsideWatch(() => this.#endStuck(), quietMs)
    this.#virtual = virtual
    const idle = (): void => this.#idle()
    this.#scheduler = virtual?.scheduler(idle) ?? new CoroutineScheduler(this.#choices, idle)
    for (let rank = 0; rank < options.ranks; rank++) this.#add(memory, options, rank, main)
  }

  /** Runs all ranks until the last has finished, one has failed, or none can go on. */
  run(): Promise<CoroutineOutcome> {
    return new Promise((resolve) => {
      this.#end = (outcome) => {
        this.#scheduler.stop()
        this.#outside.relax()
        this.#capture?.close()
        resolve(outcome)
      }
      for (let rank = 0; rank < this.#members.length; rank++) this.#scheduler.wake(rank)
    })
  }

  /** The choices that were not first come. */
  get deviations(): readonly RecordedDeviation[] {
    return this.#choices.deviations
  }

  /** How many choices among several there were. */
  get choicesMade(): number {
    return this.#choices.nextIndex
  }

  /** Stops a world that has not ended, and tells where its ranks are; `run` never resolves then. */
  abandon(): { waits: readonly RankWait[]; snapshots: readonly RankSnapshot[] } {
    this.#scheduler.stop()
    this.#outside.relax()
    this.#capture?.close()
    return { waits: this.#waits(), snapshots: this.#snapshots() }
  }

  /** The choices as a replay string. */
  get replay(): string {
    return this.#choices.replay()
  }

  #add(
    memory: WorldMemory,
    options: WorldOptions,
    rank: number,
    main: (runtime: RankRuntime) => unknown,
  ): void {
    let carrier: CoroutineCarrier
    const virtual = this.#virtual
    const carry = (endpoint: Endpoint): CoroutineCarrier => {
      carrier =
        virtual?.carrier(rank, endpoint, this.#choices) ??
        new CoroutineCarrier(rank, endpoint, this.#scheduler, this.#choices)
      return carrier
    }
    const runtime = RankRuntime.share(
      memory,
      options,
      rank,
      this.#choices,
      carry,
      this.#capture?.fabric,
      virtual,
    )
    const member = new Member(runtime, carrier!, () => void this.#runRank(member, rank, main))
    this.#members.push(member)
    this.#scheduler.add(member)
  }

  async #runRank(
    member: Member,
    rank: number,
    main: (runtime: RankRuntime) => unknown,
  ): Promise<void> {
    const { runtime } = member
    try {
      runtime.start()
      this.#values[rank] = await main(runtime)
      this.#virtual?.returned(rank)
      await runtime.finalize()
      member.finished = true
      if (--this.#left === 0) {
        const facts = this.#members.map((one) => one.runtime.leftovers())
        this.#end({ kind: 'finished', values: this.#values, facts })
      }
    } catch (error) {
      runtime.fail()
      member.failed = true
      this.#fail(rank, error)
    }
  }

  #fail(rank: number, error: unknown): void {
    this.#failures.push({ rank, error })
    if (this.#failures.length > 1) return
    if (!this.#settles || !(error instanceof AgreementError)) {
      return this.#end({ kind: 'failed', rank, error, others: undefined })
    }
    this.#settled = setTimeout(() => this.#endFailed(), SETTLE_MS)
  }

  #endFailed(): void {
    clearTimeout(this.#settled)
    const [{ rank, error }, ...failures] = this.#failures as [{ rank: number; error: unknown }]
    const asked = this.#members.filter(({ failed }) => !failed)
    const snapshots = this.#snapshots(asked)
    this.#end({
      kind: 'failed',
      rank,
      error,
      others: { failures, waits: this.#waits(), snapshots },
    })
  }

  /** No rank has anything to do: they have finished, wait for each other, or for something outside. */
  #idle(): void {
    if (this.#settled !== undefined) return this.#endFailed()
    const open = this.#members.filter(({ finished }) => !finished)
    if (open.length === 0) return
    if (open.every(({ carrier }) => carrier.awaits)) this.#outside.suspect()
  }

  #endStuck(): void {
    const waits = this.#waits()
    // Something moved while the event loop was asked: look again later.
    if (findDeadlock(waits).length === 0) return this.#outside.suspect()
    this.#end({ kind: 'deadlock', waits, snapshots: this.#snapshots() })
  }

  #waits(): RankWait[] {
    return this.#members.map(({ runtime, carrier, finished, failed }, rank): RankWait => {
      if (finished || failed) {
        return { rank, state: finished ? 'finished' : 'failed', mode: 'and', arcs: [] }
      }
      return runtime.rank.endpoint.hasWork || !carrier.awaits
        ? { rank, state: 'running', mode: 'and', arcs: [] }
        : { rank, state: 'awaiting', ...carrier.missing() }
    })
  }

  #snapshots(members = this.#members.filter(({ finished }) => !finished)): RankSnapshot[] {
    return members.map(({ runtime, finished }) => ({
      ...runtime.snapshot(undefined, undefined),
      state: finished ? 'finished' : 'awaiting',
    }))
  }
}
