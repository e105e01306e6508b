import { kindOf, nameOf, FLOAT32, FLOAT64, NO_KIND, type TypedArray } from '../datatype/index.js'
import { ArgumentError, describe, OpError } from '../errors/index.js'
import { combineElements, combinePairs, prefersFirst } from './combine-arrays.js'
import type { Definition, PairDefinition, Reduction } from './definition.js'

/** What MAXLOC and MINLOC take and give. */
export interface ValueIndex {
  readonly value: number | bigint
  readonly index: number
}

/**
 * A reduction: how two contributions become one.
 *
 * The ones of the standard are constants: `SUM`, `PROD`, `MAX`, `MIN`, `LAND`, `LOR`, `LXOR`, `BAND`,
 * `BOR`, `BXOR`, `MAXLOC`, `MINLOC`. They take numbers, bigints and typed arrays (element by element);
 * the logical ones take booleans too; the logical and the bit ones take integers only. Integers in
 * typed arrays wrap around at the width of their kind; bigints count as 64 bits with a sign and wrap
 * around there.
 *
 * MPI 4.1, 6.9.
 */
export class Op {
  readonly name: string
  /** Whether operands may change places. If not, they are folded in rank order. */
  readonly commutative: boolean
  readonly #definition: Definition
  #fingerprint: number | undefined

  private constructor(name: string, commutative: boolean, definition: Definition) {
    this.name = name
    this.commutative = commutative
    this.#definition = definition
  }

  /**
   * Makes a reduction of your own function. It must be associative.
   *
   * The first argument comes from the lower ranks. Of two values it returns one. Of two typed arrays
   * the second takes the result: write into it and return nothing.
   *
   * @param options.commutative - operands may change places; false when left out, which is never wrong
   * @param options.name - for messages
   * @throws {ArgumentError} when `combine` is no function
   * @example
   * const longest = Op.create((a, b) => (a.length >= b.length ? a : b), { name: 'longest' })
   * const line = world.allreduce(text, longest)
   *
   * MPI 4.1, 6.9.5 (MPI_Op_create).
   */
  static create(
    // oxlint-disable-next-line typescript/no-explicit-any -- so that `(a, b) => a + b` needs no types
    combine: (lower: any, higher: any) => unknown,
    { commutative = false, name }: { commutative?: boolean; name?: string } = {},
  ): Op {
    if (typeof combine !== 'function') {
      throw new ArgumentError({ argument: 'combine', seen: combine, expected: 'a function' })
    }
    const title = name ?? (combine.name === '' ? 'a reduction of the user' : combine.name)
    return new Op(title, commutative, { form: 'function', combine })
  }

  /** One of the standard's. @internal */
  static predefined(name: string, definition: Definition): Op {
    return new Op(name, true, definition)
  }

  /** Name of the kernels that do it on world memory; undefined where there is none. @internal */
  get reduction(): Reduction | undefined {
    return this.#definition.form === 'elements' ? this.#definition.reduction : undefined
  }

  /**
   * Refuses a contribution that the reduction is not defined on; called before anything is sent.
   *
   * @throws {OpError}
   * @internal
   */
  check(value: unknown): void {
    const definition = this.#definition
    if (definition.form === 'function') return
    const kind = kindOf(value)
    if (kind !== NO_KIND) this.#checkKind(kind, (value as TypedArray).length)
    else if (definition.form === 'pairs') {
      if (!isValueIndex(value)) throw this.#refusal(describe(value))
    } else if (typeof value === 'number') {
      if (!definition.floats && !Number.isSafeInteger(value)) throw this.#refusal(describe(value))
    } else if (typeof value === 'bigint') {
      if (BigInt.asIntN(64, value) !== value) throw this.#refusal('a bigint of more than 64 bits')
    } else if (typeof value !== 'boolean' || definition.boolean === undefined) {
      throw this.#refusal(describe(value))
    }
  }

  /**
   * The same for `elements` elements of memory.
   *
   * @throws {OpError}
   * @internal
   */
  checkMemory(kind: number, elements: number): void {
    if (this.#definition.form !== 'function') this.#checkKind(kind, elements)
  }

  /**
   * Elements of memory that belong together: what a reduction is cut into is a multiple of it.
   * Infinity for functions of the user, which may look at all they are given. @internal
   */
  get unit(): number {
    const { form } = this.#definition
    return form === 'elements' ? 1 : form === 'pairs' ? 2 : Infinity
  }

  /** A number that two different operations hardly share, for agreement. @internal */
  get fingerprint(): number {
    return (this.#fingerprint ??= fingerprintOf(this.name, this.#definition))
  }

  /**
   * Two contributions give one. Of two typed arrays the second takes the result and is returned.
   *
   * @throws {OpError} when they are not of one kind, or not of one length
   * @internal
   */
  combineValues(lower: unknown, higher: unknown): unknown {
    const definition = this.#definition
    if (definition.form === 'elements') {
      if (typeof lower === 'number' && typeof higher === 'number') {
        return definition.number(lower, higher)
      }
      if (typeof lower === 'bigint' && typeof higher === 'bigint') {
        return BigInt.asIntN(64, definition.bigint(lower, higher))
      }
      if (typeof lower === 'boolean' && typeof higher === 'boolean' && definition.boolean) {
        return definition.boolean(lower, higher)
      }
    }
    if (kindOf(lower) !== NO_KIND && kindOf(higher) !== NO_KIND) {
      this.combineArrays(lower as TypedArray, higher as TypedArray)
      return higher
    }
    if (definition.form === 'function') return definition.combine(lower, higher)
    if (definition.form === 'pairs') return this.#better(definition, lower, higher)
    throw this.#refusal(`${describe(lower)} and ${describe(higher)}`)
  }

  /**
   * Element by element; `higher` takes the result.
   *
   * @throws {OpError} when kinds or lengths differ, or the reduction is not defined on the kind
   * @internal
   */
  combineArrays(lower: TypedArray, higher: TypedArray): void {
    const definition = this.#definition
    const kind = kindOf(higher)
    if (kind !== kindOf(lower) || lower.length !== higher.length) {
      throw this.#refusal(
        `${describe(lower)} and ${describe(higher)}`,
        'arrays of one kind and length',
      )
    }
    this.#checkKind(kind, higher.length)
    if (definition.form === 'elements') combineElements(definition, kind, lower, higher)
    else if (definition.form === 'pairs') combinePairs(definition, lower, higher)
    else {
      const result = definition.combine(lower, higher)
      if (result !== undefined && result !== higher) {
        const expected =
          'a function that writes the result into its second array and returns nothing'
        throw this.#refusal(
          `typed arrays as written: its function returned ${describe(result)}`,
          expected,
        )
      }
    }
  }

  #checkKind(kind: number, length: number): void {
    const definition = this.#definition
    if (definition.form === 'elements' && !definition.floats) {
      if (kind === FLOAT64 || kind === FLOAT32) throw this.#refusal(`${nameOf(kind)} elements`)
    } else if (definition.form === 'pairs' && length % 2 === 1) {
      throw this.#refusal(`an odd number of elements (${length})`)
    }
  }

  #better(definition: PairDefinition, lower: unknown, higher: unknown): ValueIndex {
    if (!isValueIndex(lower)) throw this.#refusal(describe(lower))
    if (!isValueIndex(higher)) throw this.#refusal(describe(higher))
    return prefersFirst(definition, lower.value, lower.index, higher.value, higher.index)
      ? lower
      : higher
  }

  #refusal(seen: string, expected: string = this.#domain()): OpError {
    return new OpError({ op: this.name, seen, expected })
  }

  #domain(): string {
    const definition = this.#definition
    if (definition.form === 'pairs') {
      return 'values { value, index }, or arrays of pairs (value, index)'
    }
    if (definition.form === 'function') return 'what its function takes'
    if (definition.floats) return 'numbers, bigints of 64 bits, and typed arrays'
    const booleans = definition.boolean === undefined ? '' : 'booleans, '
    return `${booleans}integers, bigints of 64 bits, and typed arrays of integers`
  }
}

/** Name and text: whether a function closes over something that differs by rank cannot be seen. */
function fingerprintOf(name: string, definition: Definition): number {
  const text = definition.form === 'function' ? `${name} ${String(definition.combine)}` : name
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 16) ^ (hash & 0xffff)
}

function isValueIndex(value: unknown): value is ValueIndex {
  if (typeof value !== 'object' || value === null) return false
  const { value: best, index } = value as Partial<ValueIndex>
  return (typeof best === 'number' || typeof best === 'bigint') && Number.isSafeInteger(index)
}
