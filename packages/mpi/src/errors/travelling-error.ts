import * as argument from './argument-errors.js'
import * as collective from './collective-errors.js'
import { describe } from './describe.js'
import * as envelope from './envelope-errors.js'
import * as handle from './handle-errors.js'
import * as memory from './memory-errors.js'
import * as message from './message-errors.js'
import * as world from './world-errors.js'

/** Something thrown, as it goes from one thread to another by `postMessage`: plain data. */
export interface TravellingError {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  /** Its own fields: the facts of an MpiError, whatever the user added to an error. */
  readonly fields: unknown
  readonly cause: unknown
  /** Set when what was thrown is no error: then this is it, and `message` says so in words. */
  readonly thrown?: { readonly value: unknown }
}

/** Anything that was thrown, made ready for `postMessage`. Parts that cannot be posted are put into words. */
export function packError(thrown: unknown): TravellingError {
  if (thrown instanceof Error) return packAt(thrown, 0)
  return {
    name: 'Error',
    message: `thrown: ${describe(thrown)}`,
    stack: undefined,
    fields: {},
    cause: undefined,
    thrown: { value: sendable(thrown, 0) },
  }
}

/** What a rank threw: an error of the same class, with the same fields and the same stack. */
export function restoreError(error: TravellingError): unknown {
  if (error.thrown !== undefined) return restore(error.thrown.value)
  const restored = new Error(error.message)
  // A real Error whose prototype is exchanged: the class's constructor would build the message
  // again, from facts that may have been put into words on the way.
  const prototype = prototypes.get(error.name)
  if (prototype === undefined) hide(restored, 'name', error.name)
  else Object.setPrototypeOf(restored, prototype)
  hide(restored, 'stack', error.stack)
  if (error.cause !== undefined) hide(restored, 'cause', restore(error.cause))
  return Object.assign(restored, restore(error.fields))
}

const prototypes: ReadonlyMap<string, object> = new Map(
  [
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
    ...[argument, collective, envelope, message, memory, handle, world].flatMap((group) =>
      Object.values(group).filter((part) => typeof part === 'function'),
    ),
  ].map(({ prototype }: { readonly prototype: Error }) => [prototype.name, prototype]),
)

/** Deep enough for a report; what lies deeper (or in a cycle) is put into words. */
const DEEPEST = 16
const OWN_PARTS: ReadonlySet<string> = new Set(['name', 'message', 'stack', 'cause'])

function packAt(error: Error, depth: number): TravellingError {
  const fields: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(error)) {
    if (!OWN_PARTS.has(key)) fields[key] = sendable(value, depth + 1)
  }
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    fields,
    cause: error.cause === undefined ? undefined : sendable(error.cause, depth + 1),
  }
}

interface Nested {
  readonly [NESTED]: TravellingError
}

const NESTED = 'commworld:error'

function sendable(value: unknown, depth: number): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return describe(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEEPEST) return describe(value)
  if (value instanceof Error) return { [NESTED]: packAt(value, depth + 1) } satisfies Nested
  if (Array.isArray(value)) return value.map((entry) => sendable(entry, depth + 1))
  if (Object.getPrototypeOf(value) !== Object.prototype) return describe(value)
  return mapFields(value, (field) => sendable(field, depth + 1))
}

function restore(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (NESTED in value) return restoreError((value as Nested)[NESTED])
  if (Array.isArray(value)) return value.map(restore)
  return mapFields(value, restore)
}

function mapFields(value: object, change: (field: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, change(field)]))
}

function hide(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, configurable: true })
}
