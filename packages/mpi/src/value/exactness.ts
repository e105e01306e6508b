import { inspect } from 'node:util'

/** Text of which every code unit arrives: msgpack's UTF-8 has no lone surrogates and drops a leading mark. */
export function isExactText(text: string): boolean {
  return (text as unknown as WellFormed).isWellFormed() && text.charCodeAt(0) !== BYTE_ORDER_MARK
}

/** A key that arrives. The packer uses names that begin with two underscores for itself. */
export function isExactKey(key: string): boolean {
  if (key.charCodeAt(0) === UNDERSCORE && key.charCodeAt(1) === UNDERSCORE) return false
  return isExactText(key)
}

const BYTE_ORDER_MARK = 0xfeff
const UNDERSCORE = 0x5f

/** In every Node that is supported, and not yet in the language level the compiler is set to. */
interface WellFormed {
  isWellFormed(): boolean
}

/**
 * Whether an array has properties besides its elements, as the result of `match` has.
 *
 * Listing the keys of a long array would make a string of every index; this costs the same for any
 * length, because Node's inspection reads named properties apart from indices.
 */
export function hasNames(array: readonly unknown[]): boolean {
  const text = inspect(array, NAMES_ONLY)
  return text !== `[ ... ${array.length} more item${array.length === 1 ? '' : 's'} ]`
}

const NAMES_ONLY = {
  depth: 0,
  maxArrayLength: 0,
  customInspect: false,
  compact: true,
  breakLength: Infinity,
} as const
