import {
  choiceSource,
  type Capture,
  ChoiceRecorder,
  type ChoiceSource,
  startChoices,
  type RecordedDeviation,
  type StruckFault,
  type WorldMemory,
} from '@commworld/transport'
import { abortedError, setAborted } from '../../device/abort.js'
import { choiceState } from '../../device/choice-state.js'
import { CoroutineCarrier } from '../../device/coroutine-carrier.js'
import {
  CoroutineScheduler,
  type Coroutine,
  type RankScheduler,
} from '../../device/coroutine-scheduler.js'
import { chooseSender } from '../../device/choose-sender.js'
import { Endpoint, type SharedEndpoints } from '../../device/endpoint.js'
import { endpointSettings } from '../../device/settings.js'
import { StagingMemory } from '../../device/staging-memory.js'
import { captureOfAll } from '../../device/traffic-capture.js'
import { findDeadlock } from '../../diagnose/wait-graph.js'
import { AgreementError, CrashedError } from '../../errors/index.js'
import type { FinalizeFacts } from '../../record/finalize-facts.js'
import type { RankSnapshot, RankWait } from '../../record/rank-snapshot.js'
import type { VirtualWorld } from '../../simulate/virtual/virtual-world.js'
import { FaultyNetwork } from './faulty-network.js'
import { OutsideWatch } from './outside-watch.js'
import { RankRuntime, type SharedWorld } from './rank-runtime.js'
import { layOutWorld } from './world.js'
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
      /** It did not end although nothing goes wrong any more. */
      readonly kind: 'stalled'
      readonly error: Error
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
  /** Virtual seconds after the last fault in which the world must end. */
  readonly livenessSeconds?: number | undefined
  /** Whether calls that do not agree are told of all ranks: they go on until they come to theirs. */
  readonly settles?: boolean | undefined
  /** Makes the ranks of a world whose time is virtual. */
  readonly virtual?: VirtualWorld | undefined
}

/** What a job that a crash ended exits with. */
const CRASH_CODE = 1

/** The others come to the call that does not agree within this time, or are elsewhere. */
const SETTLE_MS = 100

/** One rank of the world: its coroutine from the start of main to the end of finalize. */
class Member implements Coroutine {
  readonly runtime: RankRuntime
  readonly carrier: CoroutineCarrier
  started = false
  finished = false
  failed = false
  readonly #calls: { readonly start: () => void; readonly fail: (error: unknown) => void }

  constructor(
    runtime: RankRuntime,
    carrier: CoroutineCarrier,
    calls: { readonly start: () => void; readonly fail: (error: unknown) => void },
  ) {
    this.runtime = runtime
    this.carrier = carrier
    this.#calls = calls
  }

  get ready(): boolean {
    return !this.started || this.carrier.ready
  }

  get watches(): boolean {
    return this.carrier.watches
  }

  step(): void {
    if (!this.started) {
      this.started = true
      this.#calls.start()
      return
    }
    try {
      this.carrier.step()
    } catch (error) {
      // A queue pair that failed, seen by no call of the program.
      this.#calls.fail(error)
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
  readonly #network: FaultyNetwork | undefined
  readonly #memory: WorldMemory
  readonly #outside: OutsideWatch
  readonly #settles: boolean
  readonly #failures: { readonly rank: number; readonly error: unknown }[] = []
  #settled: NodeJS.Timeout | undefined
  #end: (outcome: CoroutineOutcome) => void = () => {}
  #left: number
  #crashed = false

  constructor(
    memory: WorldMemory,
    options: WorldOptions,
    main: (runtime: RankRuntime) => unknown,
    settings: CoroutineSettings = {},
  ) {
    const { source = choiceSource(options), settles = false, virtual } = settings
    this.#settles = settles
    this.#memory = memory
    layOutWorld(memory, options)
    this.#capture = captureOfAll(options.pcap)
    this.#left = options.ranks
    this.#choices = new ChoiceRecorder(startChoices(source, choiceState(memory)))
    this.#outside = new OutsideWatch(() => this.#endStuck(), settings.quietMs)
    this.#virtual = virtual
    const { faults, ranks } = options
    const onCrash = (rank: number): void => this.#crash(rank)
    const { livenessSeconds } = settings
    this.#network =
      faults && new FaultyNetwork(faults, ranks, this.#choices, { livenessSeconds, onCrash })
    const idle = (): void => this.#idle()
    this.#scheduler =
      virtual?.scheduler(idle) ?? new CoroutineScheduler(this.#choices, idle, this.#network)
    const eagerLimitBytes = virtual?.eagerLimitBytes ?? options.eagerLimitBytes
    const world = {
      memory,
      options,
      settings: endpointSettings({
        ...options,
        ...(eagerLimitBytes !== undefined && { eagerLimitBytes }),
      }),
    }
    const shared: SharedEndpoints = {
      staging: new StagingMemory(memory),
      open: (rank) => this.#members[rank]!.runtime.rank.endpoint.open(),
    }
    for (let rank = 0; rank < ranks; rank++) this.#add(rank, world, shared, main)
  }

  /** Runs all ranks until the last has finished, one has failed, or none can go on. */
  run(): Promise<CoroutineOutcome> {
    return new Promise((resolve) => {
      const end = (outcome: CoroutineOutcome): void => {
        this.#scheduler.stop()
        this.#outside.relax()
        this.#capture?.close()
        resolve(outcome)
      }
      this.#end = end
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

  /** What has gone wrong below the library. */
  get faults(): readonly StruckFault[] {
    return this.#network?.struck ?? []
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
    rank: number,
    world: SharedWorld,
    shared: SharedEndpoints,
    main: (runtime: RankRuntime) => unknown,
  ): void {
    const virtual = this.#virtual
    const endpoint =
      virtual?.endpoint(world.memory, rank, world.settings, shared) ??
      this.#endpoint(rank, world, shared)
    const carrier =
      virtual?.carrier(rank, endpoint, this.#choices) ??
      new CoroutineCarrier(rank, endpoint, this.#scheduler, this.#choices)
    const runtime = RankRuntime.share(rank, world, carrier, endpoint)
    const member: Member = new Member(runtime, carrier, {
      start: () => void this.#runRank(member, rank, main),
      fail: (error) => this.#memberFailed(member, rank, error),
    })
    this.#members.push(member)
    this.#scheduler.add(member)
  }

  #endpoint(
    rank: number,
    { memory, options, settings }: SharedWorld,
    shared: SharedEndpoints,
  ): Endpoint {
    const choose = chooseSender(this.#choices, rank)
    const fabric = this.#network?.fabric ?? this.#capture?.fabric
    return new Endpoint(memory, rank, options.ranks, settings, choose, fabric, shared)
  }

  async #runRank(
    member: Member,
    rank: number,
    main: (runtime: RankRuntime) => unknown,
  ): Promise<void> {
    const { runtime } = member
    this.#scheduler.settle()
    try {
      runtime.start()
      this.#values[rank] = await main(runtime)
      this.#virtual?.returned(rank)
      await runtime.finalize()
      member.finished = true
      if (--this.#left === 0) {
        this.#network?.drain()
        const facts = this.#members.map((one) => one.runtime.leftovers())
        this.#end({ kind: 'finished', values: this.#values, facts })
      }
    } catch (error) {
      this.#memberFailed(member, rank, error)
    }
  }

  #memberFailed(member: Member, rank: number, error: unknown): void {
    member.runtime.fail()
    member.failed = true
    this.#fail(rank, error)
  }

  /**
   * A rank is gone, as when its process is killed: it goes on no more, and the job ends. The others
   * are told, and what they do then is waited for.
   */
  #crash(rank: number): void {
    const { i32 } = this.#memory
    this.#scheduler.stop()
    this.#crashed = true
    setAborted(i32, CRASH_CODE, rank)
    setImmediate(() => {
      this.#members.forEach(({ carrier }, other) => {
        if (other !== rank) carrier.interrupt(abortedError(i32))
      })
      const error = new CrashedError({ rank })
      setImmediate(() => this.#end({ kind: 'failed', rank, error, others: undefined }))
    })
  }

  #fail(rank: number, error: unknown): void {
    if (this.#crashed) return
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
    const dead = this.#network?.failure
    if (dead !== undefined) return this.#end({ kind: 'stalled', error: dead })
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
