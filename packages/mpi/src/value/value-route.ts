/**
 * How a value is to be serialised, decided by looking at it once. This file is the hot half: it knows
 * plain data well and gives up on everything else, which `value-walk.ts` then looks at with time.
 *
 * Marked as hot: the cursors of a look are module-level variables, so that the recursion carries
 * nothing but the value and its depth. A look runs no code of the user but getters, and is not
 * re-entered.
 */

import { types } from 'node:util'
import { elementKinds, kindOf, NO_KIND, type TypedArray } from '../datatype/index.js'
import { hasNames, isExactKey, isExactText } from './exactness.js'

/** A tree of plain data, no object in it twice. */
export const TREE = 0
/** Plain data with Maps, Sets, or more objects than were compared with each other. */
export const GRAPH = 1
/** Anything else. */
export const UNKNOWN = 2

export type Route = typeof TREE | typeof GRAPH | typeof UNKNOWN

/** Objects that are compared with each other one by one; beyond that the packer's table is quicker. */
const COMPARED = 8
/** Cycles end here at the latest, and so do doubles of doubles of doubles. */
const DEEPEST = 48
const MOST_OBJECTS = 20_000
/** More keys than that make an object a dictionary, whose shape is not worth remembering. */
const MOST_KEYS = 64
/** From here on the named properties of an array are not looked for by listing its indices. */
const LONG_ARRAY = 128

const compared: (object | undefined)[] = Array.from({ length: COMPARED }, () => undefined)
let objects = 0
let graph = false
let dictionary = false

export function routeOf(value: unknown): Route {
  objects = 0
  graph = false
  dictionary = false
  const known = isKnown(value, 0)
  // Nothing of the user's is kept alive by the table.
  for (let i = 0; i < objects && i < COMPARED; i++) compared[i] = undefined
  if (!known) return UNKNOWN
  if (!graph && objects <= COMPARED) return TREE
  return dictionary ? UNKNOWN : GRAPH
}

function isKnown(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'number':
      return value !== 0 || 1 / value > 0 // msgpack has no -0
    case 'string':
      return isExactText(value)
    case 'object':
      return value === null || isKnownObject(value, depth)
    case 'boolean':
    case 'undefined':
    case 'bigint':
      return true
    default:
      return false
  }
}

function isKnownObject(value: object, depth: number): boolean {
  if (depth > DEEPEST || objects > MOST_OBJECTS) return false
  const last = objects < COMPARED ? objects : COMPARED
  for (let i = 0; i < last; i++) if (compared[i] === value) return false
  if (objects < COMPARED) compared[objects] = value
  objects++
  const constructor: unknown = value.constructor
  if (constructor === Object) return isKnownRecord(value as Record<string, unknown>, depth)
  if (constructor === Array) return isKnownArray(value as unknown[], depth)
  return isKnownBuiltIn(value, constructor, depth)
}

function isKnownRecord(value: Record<string, unknown>, depth: number): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  if (Object.getOwnPropertySymbols(value).length > 0) return false
  let keys = 0
  for (const key in value) {
    if (!isExactKey(key) || !isKnown(value[key], depth + 1)) return false
    keys++
  }
  if (keys > MOST_KEYS) dictionary = true
  return true
}

function isKnownArray(value: unknown[], depth: number): boolean {
  if (Object.getPrototypeOf(value) !== Array.prototype) return false
  const { length } = value
  if (length > LONG_ARRAY) {
    if (hasNames(value)) return false
  } else if (Reflect.ownKeys(value).length !== length + 1) return false // `length` is one of them
  for (let i = 0; i < length; i++) {
    const entry = value[i]
    if (entry === undefined && !Object.hasOwn(value, i)) return false
    if (!isKnown(entry, depth + 1)) return false
  }
  return true
}

function isKnownBuiltIn(value: object, constructor: unknown, depth: number): boolean {
  switch (constructor) {
    case Date:
      return types.isDate(value) && isBare(value, Date.prototype)
    case Map:
      graph = true
      return types.isMap(value) && isBare(value, Map.prototype) && isKnownMap(value, depth)
    case Set:
      graph = true
      return types.isSet(value) && isBare(value, Set.prototype) && isKnownSet(value, depth)
    default: {
      const kind = kindOf(value)
      if (kind === NO_KIND || elementKinds[kind]!.array !== constructor) return false
      return (value as TypedArray).length > 0 // an empty one may have lost its memory
    }
  }
}

function isKnownMap(value: Map<unknown, unknown>, depth: number): boolean {
  for (const [key, entry] of value) {
    if (!isKnown(key, depth + 1) || !isKnown(entry, depth + 1)) return false
  }
  return true
}

function isKnownSet(value: Set<unknown>, depth: number): boolean {
  for (const entry of value) if (!isKnown(entry, depth + 1)) return false
  return true
}

/** Of exactly this class, and with no fields of its own that would be lost. */
function isBare(value: object, prototype: object): boolean {
  return Object.getPrototypeOf(value) === prototype && Reflect.ownKeys(value).length === 0
}
