import { types } from 'node:util'
import { serialize } from 'node:v8'
import { elementKinds, isDetached, kindOf, NO_KIND } from '../datatype/index.js'
import { article, className, ValueError } from '../errors/index.js'
import { isExactKey, isExactText } from './exactness.js'

/**
 * The careful look at a value that the quick one did not know: whether the packer carries it exactly
 * or only the structured clone algorithm, and if neither, what it is that cannot travel, and where.
 *
 * Values are what `structuredClone` copies: instances of classes arrive as plain objects with their
 * fields. What it would drop without a word is refused.
 */
export class ValueWalk {
  /** False as soon as something was seen that the packer would change. */
  packable = true
  readonly #visited = new Set<object>()
  readonly #path: string[] = []

  /** @throws {ValueError} that names the path of what cannot travel */
  static isPackable(value: unknown): boolean {
    const walk = new ValueWalk()
    walk.#visit(value)
    return walk.packable
  }

  #visit(value: unknown): void {
    switch (typeof value) {
      case 'function':
        throw this.#refusal(value.name === '' ? 'a function' : `the function ${value.name}`)
      case 'symbol':
        throw this.#refusal('a symbol')
      case 'number':
        if (Object.is(value, -0)) this.packable = false
        break
      case 'string':
        if (!isExactText(value)) this.packable = false
        break
      case 'object':
        if (value !== null) this.#visitObject(value)
        break
    }
  }

  #visitObject(value: object): void {
    if (this.#visited.has(value)) return
    this.#visited.add(value)
    if (this.#path.length > DEEPEST_PACKED) this.packable = false
    const refused = whyRefused(value)
    if (refused !== undefined) throw this.#refusal(refused)
    for (const symbol of Object.getOwnPropertySymbols(value)) {
      if (!Object.prototype.propertyIsEnumerable.call(value, symbol)) continue
      this.#path.push(`[${String(symbol)}]`)
      throw this.#refusal('keyed by a symbol')
    }
    if (!isPackedExactly(value)) this.packable = false
    if (carriesNoFields(value)) {
      for (const key of fieldsOf(value)) {
        this.#path.push(step(key))
        throw this.#refusal(
          `a field of ${nameOfClass(value)}`,
          'Only what such an object holds travels',
        )
      }
    }
    for (const [name, part] of partsOf(value)) {
      this.#path.push(name)
      this.#visit(part)
      this.#path.pop()
    }
  }

  #refusal(found: string, advice?: string): ValueError {
    const path = `value${this.#path.join('')}`
    return new ValueError({ path, found, ...(advice === undefined ? {} : { advice }) })
  }
}

/** Finds what `v8.serialize` stumbled over, when the walk did not know it. */
export function locateFailure(value: unknown, path = 'value'): ValueError {
  if (typeof value === 'object' && value !== null) {
    for (const [name, part] of partsOf(value)) {
      if (!isSerialisable(part)) return locateFailure(part, path + name)
    }
  }
  const found =
    typeof value === 'object' && value !== null ? `${nameOfClass(value)} object` : typeof value
  return new ValueError({ path, found: `of a kind (${found}) that cannot be copied` })
}

function isSerialisable(value: unknown): boolean {
  try {
    serialize(value)
    return true
  } catch {
    return false
  }
}

/** The packer is recursive, and so is the unpacker of whoever receives. */
const DEEPEST_PACKED = 400
/** More keys than that make an object a dictionary, whose shape is not worth remembering. */
const MOST_KEYS = 64

function whyRefused(value: object): string | undefined {
  if (types.isProxy(value)) return 'a proxy'
  if (types.isPromise(value)) return 'a promise'
  if (types.isWeakMap(value)) return 'a WeakMap'
  if (types.isWeakSet(value)) return 'a WeakSet'
  if (value instanceof WeakRef) return 'a WeakRef'
  if (types.isSharedArrayBuffer(value)) return 'a SharedArrayBuffer'
  if (types.isGeneratorObject(value)) return 'a generator'
  if (types.isSymbolObject(value)) return 'a symbol'
  if (types.isArrayBuffer(value) || ArrayBuffer.isView(value)) {
    const buffer = ArrayBuffer.isView(value) ? value.buffer : value
    return isDetached(buffer) ? 'memory that was transferred away' : undefined
  }
  if (value instanceof AggregateError) return 'an AggregateError, whose errors would be lost'
  return isOpaque(value) ? `${nameOfClass(value)} without fields that can be read` : undefined
}

/** An instance of a class that shows nothing of what it holds, such as a URL. */
function isOpaque(value: object): boolean {
  if (Array.isArray(value) || carriesNoFields(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== null && prototype !== Object.prototype && Object.keys(value).length === 0
}

/** Objects whose content is not in fields: fields they have besides would be dropped. */
function carriesNoFields(value: object): boolean {
  return (
    types.isMap(value) ||
    types.isSet(value) ||
    types.isDate(value) ||
    types.isRegExp(value) ||
    types.isNativeError(value) ||
    types.isBoxedPrimitive(value) ||
    types.isAnyArrayBuffer(value) ||
    ArrayBuffer.isView(value)
  )
}

function fieldsOf(value: object): string[] {
  // The indices of a typed array, or of a String object, are its content.
  return Object.keys(value).filter((key) => !/^\d+$/.test(key))
}

/** Whether the packer gives back the same: exact classes of plain data, with ordinary keys. */
function isPackedExactly(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (Array.isArray(value)) {
    if (prototype !== Array.prototype) return false
    const keys = Object.keys(value)
    return keys.length === value.length && keys.every((key, i) => key === String(i))
  }
  if (prototype === Object.prototype) {
    const keys = Object.keys(value)
    return value.constructor === Object && keys.length <= MOST_KEYS && keys.every(isExactKey)
  }
  const kind = kindOf(value)
  if (kind !== NO_KIND) return prototype === elementKinds[kind]!.array.prototype
  return prototype === Date.prototype || prototype === Map.prototype || prototype === Set.prototype
}

/** What a value is made of, each part with the step that leads to it. */
function* partsOf(value: object): Generator<readonly [step: string, part: unknown]> {
  if (types.isMap(value)) {
    let index = 0
    for (const [key, entry] of value) {
      yield [`.keys()[${index}]`, key]
      yield [`.get(${keyText(key, index)})`, entry]
      index++
    }
  } else if (types.isSet(value)) {
    let index = 0
    for (const entry of value) yield [`.values()[${index++}]`, entry]
  } else if (types.isNativeError(value)) {
    if ('cause' in value) yield ['.cause', value.cause]
  } else if (!carriesNoFields(value)) {
    for (const key of Object.keys(value)) {
      yield [step(key), (value as Record<string, unknown>)[key]]
    }
  }
}

function step(key: string): string {
  if (/^(0|[1-9]\d*)$/.test(key)) return `[${key}]`
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `.${key}` : `['${key}']`
}

function keyText(key: unknown, index: number): string {
  if (typeof key === 'string') return `'${key}'`
  return typeof key === 'number' ? String(key) : `keys()[${index}]`
}

function nameOfClass(value: object): string {
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return article(tag === 'Object' ? className(value) : tag)
}
