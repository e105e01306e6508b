import type { CommunicatorState } from '../comm/communicator-state.js'
import type { Engine } from '../engine/engine.js'
import { Group } from './group.js'
import { MemoryCollectives } from './memory-collectives.js'

/**
 * A group of ranks that exchange messages which no other communicator sees (MPI 4.1, chapter 7).
 *
 * Data comes first, then one options object that names ranks and tags. Plain verbs return
 * values, `...Into` forms fill memory of yours, i-forms return a `Request` to `wait()` for, `test()` or
 * `await`. What a message is — a value, or memory of one element type — travels with it; a
 * receive that does not fit is an error at the receiver.
 *
 * @example
 * export default function main({ world }: Mpi) {
 *   if (world.rank === 0) world.send({ step: 1 }, { dest: 1, tag: 7 })
 *   if (world.rank === 1) console.log(world.recv({ source: 0 }))
 * }
 */
export class Communicator extends MemoryCollectives {
  readonly #state: CommunicatorState
  readonly #engine: Engine

  /** @internal */
  constructor(state: CommunicatorState, engine: Engine) {
    super(state, engine)
    this.#state = state
    this.#engine = engine
  }

  /** Number of this process here, 0 to `size - 1` (MPI_Comm_rank). */
  get rank(): number {
    return this.#state.rank
  }

  /** Number of processes (MPI_Comm_size). */
  get size(): number {
    return this.#state.size
  }

  /** The processes, without their communication (MPI_Comm_group). */
  get group(): Group {
    return new Group(this.#state.members(), this.#state.worldRank(this.#state.rank))
  }

  /** Used by reports and errors (MPI_Comm_get_name, MPI_Comm_set_name). */
  get name(): string {
    return this.#state.name
  }

  set name(name: string) {
    this.#state.name = name
  }

  // ---- making and ending communicators --------------------------------------------------------

  /** How two communicators relate (MPI_Comm_compare). */
  compare(other: Communicator): 'identical' | 'congruent' | 'similar' | 'unequal' {
    if (other.#state === this.#state) return 'identical'
    const groups = this.group.compare(other.group)
    return groups === 'identical' ? 'congruent' : groups
  }

  /** Ends the whole job with this exit status (MPI 4.1, section 9.6). */
  abort(code: number): never {
    return this.#engine.abort(code)
  }
}
