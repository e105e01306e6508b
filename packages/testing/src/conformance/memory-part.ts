import { AlgorithmError, IN_PLACE, type Communicator, type Mpi, type Request } from '@commworld/mpi'
import { serves } from '../arbitraries/algorithms.js'
import { collectiveShapes, memoryOperations } from '../arbitraries/collectives.js'
import { elementReductions } from '../arbitraries/element-reductions.js'
import type { Scalar } from '../arbitraries/element-types.js'
import type { MemoryCall } from '../arbitraries/memory-calls.js'
import { blocksOf } from '../oracles/model.js'
import { Inputs } from './inputs.js'
import { Place } from './place.js'
import { finish, setUp, turns } from './started-call.js'

/** What stands where an argument does not count. */
const POISON = [undefined, null, NaN, -1, 'poison', [], {}]

/**
 * Makes a call of memory on all ranks of the world, and looks at all that it may have written to: the
 * model says what must be where, and everything around it must stay. An algorithm that cannot serve the
 * call must be refused.
 *
 * @throws {Error} something is wrong, in words
 */
export async function performMemoryCall(mpi: Mpi, call: MemoryCall): Promise<void> {
  const { rank, size } = mpi.world
  const part = new MemoryPart(mpi, call)
  try {
    if (part.mustBeRefused) part.refuse()
    else await part.run()
  } catch (error) {
    const by = call.algorithm ?? 'the table'
    throw new Error(`${call.name} by ${by} at rank ${rank} of ${size}: ${String(error)}`, {
      cause: error,
    })
  } finally {
    part.release()
  }
}

/** One rank's part of a call. */
export class MemoryPart {
  readonly #on: Communicator
  readonly #told: MemoryCall
  readonly #root: number
  readonly #send: Place | undefined
  readonly #recv: Place | undefined
  readonly #inPlace: boolean
  readonly #parameters: readonly unknown[]

  constructor(mpi: Mpi, one: MemoryCall, on: Communicator = mpi.world) {
    const { rank, size } = on
    const { collective, listed, inPlace } = memoryOperations[one.name]
    const { rooted, givesEach, getsEach } = collectiveShapes[collective]
    this.#on = on
    this.#told = one
    this.#root = rooted ? one.root % size : 0
    const isRoot = rank === this.#root
    this.#inPlace = one.inPlace && (inPlace === 'send' || isRoot)
    const replaced = this.#inPlace ? inPlace.split(' ')[0] : ''
    const all = [...Array(size).keys()]
    const gives = collective !== 'bcast' && (collective !== 'scatter' || isRoot)
    const gets = (collective !== 'gather' && collective !== 'reduce') || isRoot
    const place = (side: 'send' | 'recv', lengths: number[], list: boolean): Place => {
      let shape = one[side][rank % one[side].length]!
      // In place the result lies at the very beginning, where nothing can go backwards.
      if (one.name === 'reduceScatterInto' && this.#inPlace && shape.layout === 'backwards') {
        shape = { ...shape, layout: 'spread' }
      }
      return new Place(mpi, shape, { kind: one.kind, item: one.item, lengths, listed: list })
    }
    const given = givesEach ? all.map((to) => this.#items(rank, to)) : [this.#items(rank, 0)]
    if (gives && replaced !== 'send') this.#send = place('send', given, listed && givesEach)
    const scattered = collective === 'reduceScatter' && this.#inPlace
    const gotten = getsEach
      ? all.map((from) => this.#items(from, rank))
      : [this.#items(this.#root, rank)]
    if (gets && replaced !== 'recv') {
      this.#recv = scattered
        ? place('recv', given, listed)
        : place('recv', gotten, listed && getsEach)
    }
    const poison = POISON[(one.seed + rank) % POISON.length]
    const send = replaced === 'send' ? IN_PLACE : (this.#send?.argument ?? poison)
    const recv = replaced === 'recv' ? IN_PLACE : (this.#recv?.argument ?? poison)
    const options = {
      ...(rooted ? { root: this.#root } : {}),
      ...(one.algorithm === undefined ? {} : { algorithm: one.algorithm }),
    }
    this.#parameters = [
      ...(collective === 'bcast' ? [recv] : [send, recv]),
      ...(one.reduction === undefined ? [] : [elementReductions[one.reduction].op]),
      ...(Object.keys(options).length === 0 ? [] : [options]),
    ]
  }

  /** The algorithm that the call names cannot serve it. */
  get mustBeRefused(): boolean {
    const { name, algorithm, reduction } = this.#told
    const { collective, listed } = memoryOperations[name]
    const commutative = reduction === undefined || elementReductions[reduction].commutative
    const constraints = { size: this.#on.size, commutative, values: false, listed }
    return algorithm !== undefined && !serves(collective, algorithm, constraints)
  }

  async run(): Promise<void> {
    const { name, form, finding, pauses, starts } = this.#told
    const { rank } = this.#on
    this.#fill(0)
    const once = setUp(this.#on, name, form, this.#parameters)
    for (let start = 0; start < starts; start++) {
      this.#fill(start)
      await turns(pauses[(rank + start) % pauses.length]!)
      const started = form === 'persistent' ? once.start() : this.#call()
      this.check(await finish(started, form, finding[(rank + start) % finding.length]!), start)
    }
    once.free()
  }

  /** The first call of a form that does not block. */
  begin(): Request<unknown> {
    this.#fill(0)
    return this.#call() as Request<unknown>
  }

  #call(): unknown {
    const { name, form } = this.#told
    return setUp(this.#on, name, form, this.#parameters).start()
  }

  /** The algorithm cannot do it: a typed error at the call, and nothing else. */
  refuse(): void {
    this.#fill(0)
    try {
      this.#call()
    } catch (error) {
      if (!(error instanceof AlgorithmError)) throw error
      return this.#look(0)
    }
    throw new Error('the algorithm was not refused')
  }

  release(): void {
    this.#send?.release()
    this.#recv?.release()
  }

  #fill(start: number): void {
    const { collective } = memoryOperations[this.#told.name]
    const { size, rank } = this.#on
    const { givesEach } = collectiveShapes[collective]
    const own = (block: number): readonly Scalar[] => this.#given(start, rank, block)
    const given = givesEach ? [...Array(size).keys()].map(own) : [own(0)]
    this.#send?.fill(given, start)
    let held: (readonly Scalar[] | undefined)[] = []
    if (collective === 'bcast') held = rank === this.#root ? given : []
    else if (this.#inPlace) {
      const gathers = collective === 'gather' || collective === 'allgather'
      held = gathers ? [...Array<undefined>(rank).fill(undefined), own(0)] : given
    }
    this.#recv?.fill(held, start + 1000)
  }

  /** What must be there in the end is. @param result what the call has given */
  check(result: unknown, start = 0): void {
    if (result !== undefined) throw new Error(`start ${start} gave ${String(result)}`)
    const { collective } = memoryOperations[this.#told.name]
    const { rank, size } = this.#on
    const blocks = blocksOf<readonly Scalar[]>(collective, rank, {
      size,
      root: this.#root,
      given: (from, block) => this.#given(start, from, block),
      fold: (lower, higher) => Inputs.of(this.#told).fold(lower, higher),
    })
    if (blocks !== undefined && this.#recv !== undefined) {
      if (collective === 'reduceScatter' && this.#inPlace) this.#recv.expectFront(blocks[0]!)
      else this.#recv.expect(blocks)
    }
    this.#look(start)
  }

  #look(start: number): void {
    const after = start === 0 ? '' : ` after start ${start}`
    if (this.#send?.wrong !== undefined) throw new Error(`send${after}: ${this.#send.wrong}`)
    if (this.#recv?.wrong !== undefined) throw new Error(`recv${after}: ${this.#recv.wrong}`)
  }

  #given(start: number, from: number, block: number): readonly Scalar[] {
    const elements = this.#items(from, block) * this.#told.item
    return Inputs.of(this.#told).given(elements, start, from, block)
  }

  /** Items of a block from one rank to another. */
  #items(from: number, to: number): number {
    const { name, lengths, inPlace } = this.#told
    const { collective, listed } = memoryOperations[name]
    let which = 0
    if (listed) {
      const gathers = collective === 'gather' || collective === 'allgather'
      // In place both of a pair give and get as much.
      const [a, b] = inPlace && from > to ? [to, from] : [from, to]
      which = collective === 'alltoall' ? 7 * a + b : gathers ? from : to
    }
    return lengths[which % lengths.length]!
  }
}
