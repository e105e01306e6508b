import { ChoiceRecorder, type ChoiceStream } from '@commworld/transport'
import { createMpi, type Program } from '../../api/index.js'
import { RankRuntime } from '../../engine/world/rank-runtime.js'
import type { RankSnapshot } from '../../record/rank-snapshot.js'
import type { ThreadRankParts } from '../../simulate/threads/thread-rank-parts.js'
import type { Bundle } from '../program/bundle.js'
import type { CarriedRanks } from './carried-ranks.js'
import { legacyOf, serialized } from './last-words.js'
import type { FinishedMessage, LegacyMessage, RankMessage, RankStart } from './rank-message.js'
import { setCommandLine } from './rank-process.js'
import { importMain } from '../program/rank-program.js'

/** The one rank of a thread. */
export class ThreadRank implements CarriedRanks {
  readonly #start: RankStart
  #runtime: RankRuntime | undefined
  /** Of a replay. */
  #choices: ChoiceRecorder | undefined
  #finished = false

  readonly #virtual: ThreadRankParts | undefined

  /** @param virtual of a rank whose time is virtual */
  constructor(start: RankStart, virtual?: ThreadRankParts) {
    this.#start = start
    this.#virtual = virtual
  }

  get writer(): number {
    return this.#start.rank
  }

  /** Makes the rank reachable. Throws when the world's memory is too small. */
  attach(post: (message: RankMessage) => void): void {
    const { options, shared, rank } = this.#start
    const recordChoices = (stream: ChoiceStream): ChoiceStream =>
      (this.#choices = new ChoiceRecorder(stream))
    const environment = options.choices === undefined ? { post } : { post, recordChoices }
    const place = { options, shared: shared! }
    this.#runtime = RankRuntime.attach(place, rank, environment, this.#virtual)
  }

  async run([bundle]: readonly Bundle[]): Promise<FinishedMessage> {
    const { programs, appNumber, returns } = this.#start
    const { args } = programs[appNumber]!
    const runtime = this.#runtime!
    setCommandLine(bundle!.sourceFile, args)
    const main = await importMain<Program>(bundle!)
    runtime.start()
    const value = await main(createMpi(runtime, { args, appNumber }))
    this.#virtual?.returned()
    await runtime.finalize()
    this.#finished = true
    return { type: 'finished', value: returns ? serialized(value) : undefined }
  }

  snapshot(): RankSnapshot | undefined {
    return this.#finished ? this.#runtime!.snapshot(undefined, undefined) : undefined
  }

  legacy(): LegacyMessage {
    const choices = this.#choices && {
      deviations: this.#choices.deviations,
      made: this.#choices.nextIndex,
    }
    return { ...legacyOf(this.#runtime!), choices }
  }

  fail(): void {
    this.#runtime?.fail()
  }
}
