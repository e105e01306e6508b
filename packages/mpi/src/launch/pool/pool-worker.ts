import { parentPort } from 'node:worker_threads'
import { ChoiceRecorder, type ChoiceStream } from '@commworld/transport'
import { createMpi, type Mpi } from '../../api/index.js'
import { holdingsOf } from '../../engine/world/holdings.js'
import { RankRuntime } from '../../engine/world/rank-runtime.js'
import { packError } from '../../errors/index.js'
import { serialized } from '../rank/last-words.js'
import type { FromPooled, PooledLegacy, ToPooled } from './pool-message.js'
import { setCommandLine } from '../rank/rank-process.js'
import { importMain } from '../program/rank-program.js'
import { Residue } from './residue.js'
import { mapStacks, SourcePositions } from '../program/source-positions.js'

// A warm thread: one rank of one world after the other.

type Run = Extract<ToPooled, { type: 'run' }>
type PooledMain = (mpi: Mpi, ...args: readonly unknown[]) => unknown

const port = parentPort!
const loaded = new Set<string>()
let current: PooledRank | undefined

port.on('message', (message: ToPooled) => {
  if (message.type === 'tell') return current?.tell(message.allFinished)
  current = new PooledRank(message)
  void current.perform()
})

process.on('uncaughtException', (error) => current?.fail(error))

class PooledRank {
  readonly #run: Run
  readonly #residue = new Residue()
  #runtime: RankRuntime | undefined
  #choices: ChoiceRecorder | undefined
  #finished = false
  #asked = false
  #allFinished = false
  #over = false

  constructor(run: Run) {
    this.#run = run
  }

  async perform(): Promise<void> {
    const { descriptor, rank, bundle, args, commandLine, run } = this.#run
    try {
      if (!loaded.has(bundle.url)) mapStacks([new SourcePositions(bundle)])
      loaded.add(bundle.url)
      this.#runtime = RankRuntime.attach(descriptor, rank, {
        post,
        recordChoices: (stream: ChoiceStream) => (this.#choices = new ChoiceRecorder(stream)),
      })
      setCommandLine(bundle.sourceFile, commandLine)
      const main = await importMain<PooledMain>(bundle)
      this.#runtime.start()
      const value = await main(
        createMpi(this.#runtime, { args: commandLine, appNumber: 0 }),
        ...args,
      )
      await this.#runtime.finalize()
      post({ type: 'finished', run, value: serialized(value) })
      this.#finished = true
      if (this.#asked) this.#end()
    } catch (error) {
      this.fail(error)
    }
  }

  fail(error: unknown): void {
    if (this.#over) return
    post({ type: 'failed', run: this.#run.run, error: packError(error) })
    this.#runtime?.fail()
    this.#end()
  }

  /** A rank that still runs when another has failed fails in its wake, or finishes. */
  tell(allFinished: boolean): void {
    this.#asked = true
    this.#allFinished = allFinished
    if (this.#finished && !this.#over) this.#end()
  }

  #end(): void {
    this.#over = true
    const finished = this.#allFinished
    const { run } = this.#run
    const runtime = this.#runtime
    const legacy: PooledLegacy = {
      facts: finished ? runtime!.leftovers() : undefined,
      holdings: finished ? holdingsOf(runtime!.rank) : undefined,
      trace: runtime?.rank.trace.finish(this.#run.rank),
      deviations: this.#choices?.deviations ?? [],
      choicesMade: this.#choices?.nextIndex ?? 0,
      residue: this.#residue.find(),
    }
    post({ type: 'legacy', run, legacy })
  }
}

function post(message: FromPooled): void {
  port.postMessage(message)
}
