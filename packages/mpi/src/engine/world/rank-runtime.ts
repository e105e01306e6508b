import { availableParallelism } from 'node:os'
import {
  choiceSource,
  type ChoiceStream,
  hcaAddress,
  joinChoices,
  wakeOwner,
  WorldMemory,
} from '@commworld/transport'
import type { NamedAlgorithms } from '../../coll/select/select.js'
import { abortedError, isAborted, setAborted } from '../../device/abort.js'
import { Baton } from '../../device/baton.js'
import type { Carrier } from '../../device/carrier.js'
import { choiceState } from '../../device/choice-state.js'
import { chooseSender } from '../../device/choose-sender.js'
import { Endpoint } from '../../device/endpoint.js'
import { endpointSettings, type EndpointSettings } from '../../device/settings.js'
import { SerialCarrier } from '../../device/serial-carrier.js'
import { ThreadCarrier } from '../../device/thread-carrier.js'
import { fabricOfThread } from '../../device/traffic-capture.js'
import type { ReportCall, Waitable } from '../../device/waitable.js'
import type { FinalizeFacts } from '../../record/finalize-facts.js'
import { OwnStateRecord, type StateRecord } from '../../record/rank-record.js'
import type { RankSnapshot, Wait } from '../../record/rank-snapshot.js'
import type { ThreadRankParts, Turns } from '../../simulate/threads/thread-rank-parts.js'
import { assembleRank } from './assemble-rank.js'
import { Finalization } from './finalization.js'
import { attach, awaitAttached, rankRecordOf } from './mpi-root.js'
import { RankEngine } from '../rank-engine.js'
import { snapshotOf } from './rank-snapshot-of.js'
import type { Rank } from '../rank.js'
import type { WorldOptions } from './world-options.js'
import type { WorldDescriptor } from './world.js'

export interface RankEnvironment {
  /** Takes what a rank tells the watcher. */
  post(message: { type: 'snapshot'; snapshot: RankSnapshot }): void
  /** Told of the choices of a serial world; gives the stream that is to be asked. */
  recordChoices?(choices: ChoiceStream): ChoiceStream
}

/** What ranks that share a thread have in common. */
export interface SharedWorld {
  readonly memory: WorldMemory
  readonly options: WorldOptions
  readonly settings: EndpointSettings
}

/** Reports on ranks that share a thread are made by who runs them. */
const NOBODY_ASKS: RankEnvironment = { post() {} }

/** What calls hear that come after the end (MPI 4.1, section 11.2.2). */
const ENDED =
  'belongs to a rank that has ended: its main had returned or failed before this call, so await ' +
  'in main whatever it starts'
/** Not every look goes everywhere: so many see all that has come. */
const FEW_LOOKS = 256
/** Far more than a rank needs to take it in. */
const LAST_LOOKS = 1_000_000

/** One rank from attaching to the world until it is finalized, on whatever carries it. */
export class RankRuntime {
  readonly rank: Rank
  readonly engine: RankEngine
  readonly #ranks: number
  readonly #record: StateRecord
  readonly #environment: RankEnvironment
  /** In serial worlds: held while the program runs. */
  readonly #turns: Turns | undefined

  private constructor(
    rank: Rank,
    record: StateRecord,
    environment: RankEnvironment,
    turns: Turns | undefined,
    algorithms: NamedAlgorithms = {},
  ) {
    this.rank = rank
    this.#ranks = rank.size
    this.#record = record
    this.#environment = environment
    this.#turns = turns
    this.engine = new RankEngine(rank, algorithms, (code) => this.#abort(code))
  }

  /**
   * Attaches the calling thread to a world as one of its ranks. Peers can reach it from then on.
   *
   * @param virtual makes the parts of a rank whose time is virtual
   * @throws OutOfMemory when the world's memory is too small for the library's own buffers
   */
  static attach(
    { options, shared }: WorldDescriptor,
    number: number,
    environment: RankEnvironment,
    virtual?: ThreadRankParts,
  ): RankRuntime {
    const memory = WorldMemory.attach(shared)
    const { ranks } = options
    const record = rankRecordOf(memory, number, ranks)
    const settings = endpointSettings(
      virtual === undefined ? options : { ...options, eagerLimitBytes: virtual.eagerLimitBytes },
    )
    const report: ReportCall = (blockedIn, waits) => runtime.#report(blockedIn, waits)
    const fabric = fabricOfThread(options.pcap, number)
    let endpoint: Endpoint
    let carrier: Carrier
    let turns: Turns | undefined
    if (virtual !== undefined) {
      const choices = joinChoices(choiceSource(options), choiceState(memory))
      endpoint = virtual.endpoint(memory, settings)
      ;({ carrier, turns } = virtual.carrier(memory, record, { choices, report }))
    } else if (options.mode === 'serial') {
      const joined = joinChoices(choiceSource(options), choiceState(memory))
      const choices = environment.recordChoices?.(joined) ?? joined
      const records = Array.from({ length: ranks }, (_, rank) => rankRecordOf(memory, rank, ranks))
      const choose = chooseSender(choices, number)
      endpoint = new Endpoint(memory, number, ranks, settings, choose, fabric)
      const baton = new Baton(memory.i32, number, records, choices)
      turns = baton
      carrier = new SerialCarrier(memory, endpoint, record, baton, { choices, report })
    } else {
      endpoint = new Endpoint(memory, number, ranks, settings, undefined, fabric)
      const crowded = ranks > availableParallelism()
      carrier = new ThreadCarrier(memory, endpoint, record, { crowded, report })
    }
    const rank = assembleRank(memory, number, options, settings, endpoint, carrier)
    const runtime: RankRuntime = new RankRuntime(
      rank,
      record,
      environment,
      turns,
      options.algorithms,
    )
    attach(memory, options.ranks)
    return runtime
  }

  /** A rank that shares this thread with others. */
  static share(
    number: number,
    world: SharedWorld,
    carrier: Carrier,
    endpoint: Endpoint,
  ): RankRuntime {
    const { memory, options, settings } = world
    const rank = assembleRank(memory, number, options, settings, endpoint, carrier)
    attach(memory, options.ranks)
    return new RankRuntime(rank, new OwnStateRecord(), NOBODY_ASKS, undefined, options.algorithms)
  }

  /** Blocks until all ranks can be reached, as MPI_Init may. Before the program's main. */
  start(): void {
    const { memory } = this.rank
    const look = (): void => {
      if (isAborted(memory.i32)) throw abortedError(memory.i32)
    }
    awaitAttached(memory, this.#ranks, look)
    if (this.#turns !== undefined) {
      if (this.rank.rank === 0) this.#turns.begin()
      this.#turns.acquire(look)
    }
    this.#record.enter('running')
  }

  /** Completes what goes on by itself (buffered sends, freed requests, answers) and leaves the world. */
  async finalize(): Promise<void> {
    const finalization = new Finalization(this.rank)
    if (!finalization.done) await finalization.wait()
    this.#leave('finished')
  }

  /** What the program left undone. To be asked when all ranks have finished: only then nothing more can come. */
  leftovers(): FinalizeFacts {
    const { endpoint, carrier } = this.rank
    // Ranks that share a thread have no rings: every look goes everywhere.
    const few = carrier.blocks ? FEW_LOOKS : 1
    const more = (looks: number): boolean => looks < few || (endpoint.hasWork && looks < LAST_LOOKS)
    for (let looks = 0; more(looks); looks++) endpoint.progress()
    return new Finalization(this.rank).facts()
  }

  /** The program failed: peers that wait for this rank will never be answered. */
  fail(): void {
    this.#leave('failed')
  }

  /** Everything a report may want to know. */
  snapshot(blockedIn: Waitable | undefined, stack: string | undefined, waits?: Wait): RankSnapshot {
    return snapshotOf(this.rank, this.#record.state, blockedIn, stack, waits)
  }

  #leave(state: 'finished' | 'failed'): void {
    for (const communicator of this.rank.communicators.open()) communicator.closed = ENDED
    this.#record.enter(state)
    if (this.#turns?.held === true) this.#turns.release()
  }

  #report(blockedIn: Waitable | undefined, waits: Wait): void {
    const stack = blockedIn === undefined ? undefined : deepStack()
    this.#environment.post({ type: 'snapshot', snapshot: this.snapshot(blockedIn, stack, waits) })
  }

  #abort(code: number): never {
    const { memory, rank } = this.rank
    setAborted(memory.i32, code, rank)
    for (let peer = 0; peer < this.#ranks; peer++) {
      wakeOwner(memory.i32, hcaAddress(memory.i32, peer))
    }
    throw abortedError(memory.i32)
  }
}

/** The stack down to the program's call: the library's own frames are more than the usual ten. */
function deepStack(): string | undefined {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 50
  const { stack } = new Error('blocked here')
  Error.stackTraceLimit = limit
  return stack
}
