import type { Algorithm, Emit, Environment } from '@commworld/mpi/plan'

/** Operations of one rank in one round that are taken for an endless loop. */
const OPERATIONS_MAX = 2_000_000
const ROUNDS_MAX = 10_000_000

/** What an algorithm did that no algorithm may, whatever it computes. */
export class Misbehaviour extends Error {
  override readonly name = 'Misbehaviour'
  readonly rank: number
  readonly round: number | undefined

  constructor(rank: number, round: number | undefined, what: string, cause?: unknown) {
    const where = round === undefined ? '' : ` in round ${round}`
    super(`rank ${rank}${where} ${what}`, { cause })
    this.rank = rank
    this.round = round
  }
}

/** Where the algorithm is that runs now: what is known of one that never returns. */
export interface Place {
  rank: number
  round: number | undefined
}

/** The algorithm, with errors, endless emission and numbers that are none made into `Misbehaviour`. */
export function guarded(algorithm: Algorithm, place: Place): Algorithm {
  return {
    ...algorithm,
    rounds: (env) => countOf('rounds', env, ROUNDS_MAX, place, () => algorithm.rounds(env)),
    volume: (env) => countOf('volume', env, Infinity, place, () => algorithm.volume(env)),
    ...(algorithm.scratch && {
      scratch: (env: Environment) => {
        return saidBy(env.rank, undefined, place, () => algorithm.scratch!(env))
      },
    }),
    round(k, env, emit) {
      const checked = new CheckedEmit(emit, env.rank, k)
      saidBy(env.rank, k, place, () => algorithm.round(k, env, checked))
    },
  }
}

function countOf(
  name: string,
  { rank }: Environment,
  most: number,
  place: Place,
  ask: () => number,
): number {
  const count = saidBy(rank, undefined, place, ask)
  if (Number.isInteger(count) && count >= 0 && count <= most) return count
  throw new Misbehaviour(rank, undefined, `says that its ${name} are ${count}`)
}

function saidBy<T>(rank: number, round: number | undefined, place: Place, ask: () => T): T {
  place.rank = rank
  place.round = round
  try {
    return ask()
  } catch (error) {
    if (error instanceof Misbehaviour) throw error
    throw new Misbehaviour(rank, round, `throws ${String(error)}`, error)
  }
}

/** Hands on what is emitted, when its numbers are whole. */
class CheckedEmit implements Emit {
  readonly #emit: Emit
  readonly #rank: number
  readonly #round: number
  #operations = 0

  constructor(emit: Emit, rank: number, round: number) {
    this.#emit = emit
    this.#rank = rank
    this.#round = round
  }

  send(...words: Parameters<Emit['send']>): void {
    this.#check('send', words)
    this.#emit.send(...words)
  }

  receive(...words: Parameters<Emit['receive']>): void {
    this.#check('receive', words)
    this.#emit.receive(...words)
  }

  receiveReduce(...words: Parameters<Emit['receiveReduce']>): void {
    this.#check('receiveReduce', words, 5)
    this.#emit.receiveReduce(...words)
  }

  copy(...words: Parameters<Emit['copy']>): void {
    this.#check('copy', words)
    this.#emit.copy(...words)
  }

  reduce(...words: Parameters<Emit['reduce']>): void {
    this.#check('reduce', words, 6)
    this.#emit.reduce(...words)
  }

  signal(...words: Parameters<Emit['signal']>): void {
    this.#check('signal', words)
    this.#emit.signal(...words)
  }

  await(...words: Parameters<Emit['await']>): void {
    this.#check('await', words)
    this.#emit.await(...words)
  }

  publish(...words: Parameters<Emit['publish']>): void {
    this.#check('publish', words)
    this.#emit.publish(...words)
  }

  awaitPublished(...words: Parameters<Emit['awaitPublished']>): void {
    this.#check('awaitPublished', words)
    this.#emit.awaitPublished(...words)
  }

  meet(...words: Parameters<Emit['meet']>): void {
    this.#check('meet', words)
    this.#emit.meet(...words)
  }

  once(stage: number, operations: () => void): void {
    this.#check('once', [stage])
    // What it does is checked as well: the operations emit to this.
    this.#emit.once(stage, operations)
  }

  get(...words: Parameters<Emit['get']>): void {
    this.#check('get', words)
    this.#emit.get(...words)
  }

  getReduce(...words: Parameters<Emit['getReduce']>): void {
    this.#check('getReduce', words, 7)
    this.#emit.getReduce(...words)
  }

  put(...words: Parameters<Emit['put']>): void {
    this.#check('put', words)
    this.#emit.put(...words)
  }

  fence(): void {
    this.#check('fence', [])
    this.#emit.fence()
  }

  #check(name: string, words: readonly (number | undefined)[], needed = 0): void {
    if (++this.#operations > OPERATIONS_MAX) {
      this.#refuse(`emits more than ${OPERATIONS_MAX} operations: an endless loop?`)
    }
    for (const word of words) {
      if (word !== undefined && !Number.isInteger(word)) {
        this.#refuse(`emits ${name}(${words.join(', ')}), where ${word} is no whole number`)
      }
    }
    if (words.length < needed) {
      this.#refuse(`emits ${name}(${words.join(', ')}), which takes ${needed} arguments`)
    }
  }

  #refuse(what: string): never {
    throw new Misbehaviour(this.#rank, this.#round, what)
  }
}
