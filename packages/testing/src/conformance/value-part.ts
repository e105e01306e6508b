import { isDeepStrictEqual, inspect } from 'node:util'
import {
  AlgorithmError,
  type Communicator,
  type Mpi,
  type Request,
  type TypedArray,
} from '@commworld/mpi'
import { serves } from '../arbitraries/algorithms.js'
import { collectiveShapes } from '../arbitraries/collectives.js'
import { contents } from '../arbitraries/contents.js'
import { elementsOf, store, type Scalar } from '../arbitraries/element-types.js'
import type { ValueCall } from '../arbitraries/value-calls.js'
import { valueReductions } from '../arbitraries/value-reductions.js'
import { blocksOf } from '../oracles/model.js'
import { finish, setUp, turns } from './started-call.js'

/** What stands where a value does not count. */
const POISON = [undefined, null, NaN, 'poison', [1], { poison: true }]

/**
 * Makes a call of values on all ranks of the world and looks at what it gives: what the model says, in
 * values that are the rank's own. An algorithm that cannot serve the call must be refused.
 *
 * @throws {Error} something is wrong, in words
 */
export async function performValueCall(mpi: Mpi, call: ValueCall): Promise<void> {
  const { rank, size } = mpi.world
  const part = new ValuePart(mpi.world, call)
  try {
    if (part.mustBeRefused) part.refuse()
    else await part.run()
  } catch (error) {
    const by = call.algorithm ?? 'the table'
    throw new Error(`${call.name} by ${by} at rank ${rank} of ${size}: ${String(error)}`, {
      cause: error,
    })
  }
}

/** One rank's part of a call. */
export class ValuePart {
  readonly #on: Communicator
  readonly #told: ValueCall
  readonly #root: number
  #used: unknown

  constructor(on: Communicator, one: ValueCall) {
    this.#on = on
    this.#told = one
    this.#root = collectiveShapes[one.name].rooted ? one.root % on.size : 0
  }

  /** The algorithm that the call names cannot serve it. */
  get mustBeRefused(): boolean {
    const { name, algorithm, reduction } = this.#told
    const commutative = reduction === undefined || valueReductions[reduction].commutative
    return algorithm !== undefined && !serves(name, algorithm, { size: this.#on.size, commutative })
  }

  async run(): Promise<void> {
    const { name, form, finding, pauses, starts } = this.#told
    const { rank } = this.#on
    const told = this.#own(0)
    const once = setUp(this.#on, name, form, this.#parameters(told))
    for (let start = 0; start < starts; start++) {
      await turns(pauses[(rank + start) % pauses.length]!)
      // The persistent form was told once: what changes is what is in there.
      if (form === 'persistent') renew((this.#used = told), this.#own(start))
      const started = form === 'persistent' ? once.start() : this.#call(start)
      this.check(await finish(started, form, finding[(rank + start) % finding.length]!), start)
    }
    once.free()
  }

  /** The first call of a form that does not block. */
  begin(): Request<unknown> {
    return this.#call(0) as Request<unknown>
  }

  #call(start: number): unknown {
    const { name, form } = this.#told
    this.#used = this.#own(start)
    return setUp(this.#on, name, form, this.#parameters(this.#used)).start()
  }

  /** The algorithm cannot do it: a typed error at the call, and nothing else. */
  refuse(): void {
    try {
      this.#call(0)
    } catch (error) {
      if (!(error instanceof AlgorithmError)) throw error
      return
    }
    throw new Error('the algorithm was not refused')
  }

  #parameters(own: unknown): unknown[] {
    const { name, reduction, algorithm } = this.#told
    const options = {
      ...(collectiveShapes[name].rooted ? { root: this.#root } : {}),
      ...(algorithm === undefined ? {} : { algorithm }),
    }
    return [
      ...(name === 'barrier' ? [] : [own]),
      ...(reduction === undefined ? [] : [valueReductions[reduction].op]),
      ...(Object.keys(options).length === 0 ? [] : [options]),
    ]
  }

  /** What this rank passes. */
  #own(start: number): unknown {
    const { name, seed } = this.#told
    const { rank, size } = this.#on
    const counts = (name !== 'bcast' && name !== 'scatter') || rank === this.#root
    if (!counts) return POISON[(seed + rank) % POISON.length]
    if (!collectiveShapes[name].givesEach) return this.#given(start, rank, 0)
    return Array.from({ length: size }, (_, to) => this.#given(start, rank, to))
  }

  #given(start: number, from: number, block: number): unknown {
    const { form, reduction, contents: names, seed } = this.#told
    const isPersistent = form === 'persistent'
    if (reduction !== undefined) {
      const made = valueReductions[reduction].make(seed, start, from, block)
      const changes =
        !isPersistent || ArrayBuffer.isView(made) || collectiveShapes[this.#told.name].givesEach
      return changes ? made : valueReductions[reduction].make(seed, 0, from, block)
    }
    const content = contents[names[(3 * from + block) % names.length]!](seed, start, from, block)
    return isPersistent ? { content } : content
  }

  /** What a call has given is right, and what was given is as it was. Spoils the result. */
  check(result: unknown, start = 0): void {
    const { name, reduction } = this.#told
    const { rank, size } = this.#on
    const blocks = blocksOf<unknown>(name, rank, {
      size,
      root: this.#root,
      given: (from, block) => this.#given(start, from, block),
      fold: (lower, higher) => valueReductions[reduction!].combine(lower, higher),
    })
    const wanted = collectiveShapes[name].getsEach ? blocks : blocks?.[0]
    if (!isSame(this.#used, this.#own(start))) {
      throw new Error(`start ${start} changed what was given to ${inspect(this.#used)}`)
    }
    if (isSame(result, wanted)) {
      if (name !== 'bcast' || rank !== this.#root) spoil(result)
      return
    }
    const [seen, right] = [result, wanted].map((value) =>
      inspect(value, { depth: 4 }).slice(0, 300),
    )
    throw new Error(`start ${start} gave ${seen} instead of ${right}`)
  }
}

/** Equal in every way but for the bits of a not-a-number, which nobody promises. */
function isSame(a: unknown, b: unknown): boolean {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return isDeepStrictEqual(a, b)
  const [one, other] = [a, b].map((array) => elementsOf(array as TypedArray))
  return a.constructor === b.constructor && isDeepStrictEqual(one, other)
}

/** Puts what is in one value into another that is alike. */
function renew(old: unknown, fresh: unknown): void {
  if (ArrayBuffer.isView(old)) {
    store(old as TypedArray, Array.from(fresh as unknown as ArrayLike<Scalar>))
  } else if (typeof old === 'object' && old !== null) Object.assign(old, fresh)
}

/** Results belong to who got them: what is done to them is seen nowhere else. */
function spoil(result: unknown): void {
  if (Array.isArray(result)) {
    for (const value of result as unknown[]) spoil(value)
    ;(result as unknown[]).push('spoiled')
  } else if (ArrayBuffer.isView(result)) {
    const array = result as TypedArray
    for (let i = 0; i < array.length; i++)
      array[i] = (typeof array[i] === 'bigint' ? 1n : 1) as never
  } else if (typeof result === 'object' && result !== null && !Object.isFrozen(result)) {
    for (const value of Object.values(result)) spoil(value)
    Object.assign(result, { spoiled: true })
  }
}
