import type { Communicator, PersistentRequest, Request } from '@commworld/mpi'
import type { Finding, Form } from '../arbitraries/carriers.js'

/** A call that can be made once, or of the persistent form several times. */
export interface Starter {
  /** A request, or of the blocking form the result. */
  start(): unknown
  free(): void
}

type Methods = Record<string, (...parameters: readonly unknown[]) => unknown>

/** Sets up a collective of a communicator: `name` is that of its blocking form. */
export function setUp(
  on: Communicator,
  name: string,
  form: Form,
  parameters: readonly unknown[],
): Starter {
  const methods = on as unknown as Methods
  if (form === 'persistent') {
    return methods[`${name}Init`]!(...parameters) as PersistentRequest<unknown>
  }
  const verb = form === 'blocking' ? name : `i${name}`
  return { start: () => methods[verb]!(...parameters), free: () => {} }
}

/** What a started collective gives. */
export async function finish(started: unknown, form: Form, finding: Finding): Promise<unknown> {
  if (form === 'blocking') return started
  const request = started as Request<unknown>
  if (finding === 'await') return await request
  if (finding === 'test') while (!request.test()) await turn()
  return request.wait()
}

/** Lets the event loop turn once. */
export function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

/**
 * Lets the event loop go round so often.
 *
 * @example
 * await turns(3)
 */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn()
}
