import type { Communicator, Mpi, RecvOptions, Request } from '@commworld/mpi'
import { checkEnvelope, type Envelope } from './expected.js'
import { arrayOf, contentOf, wrong } from './payload.js'
import { Buffer } from './place.js'
import type { Message } from './script.js'

/** How a rank waits: with plain verbs, with `wait` on i-forms, or with `await` on them. */
export type Style = 'plain' | 'wait' | 'await'

/** A send that was prepared: what is sent, and the memory that it lies in. */
export class Outgoing {
  readonly message: Message
  readonly value: unknown
  readonly #buffer: Buffer | undefined

  constructor(mpi: Mpi, message: Message) {
    const { payload, sendPlace, id } = message
    this.message = message
    if (payload.form === 'memory') {
      this.#buffer = new Buffer(mpi, payload.kind, payload.elements, sendPlace)
      this.#buffer.fill(arrayOf(payload, id))
      this.value = this.#buffer.sendable
    } else {
      this.value = contentOf(payload, id)
    }
  }

  release(): void {
    this.#buffer?.release()
  }
}

/** A receive that was prepared for a message: into a buffer or not. */
export class Incoming {
  readonly message: Message
  readonly buffer: Buffer | undefined

  constructor(mpi: Mpi, message: Message) {
    const { payload, takePlace, into } = message
    this.message = message
    if (payload.form === 'memory' && into) {
      this.buffer = new Buffer(mpi, payload.kind, payload.elements, takePlace)
    }
  }

  /** Throws unless the message has arrived. `result` is what the receive returned. */
  check(result: unknown, status: Envelope): void {
    const { payload, id } = this.message
    checkEnvelope(this.message, status)
    const arrived =
      this.buffer !== undefined && payload.form === 'memory'
        ? this.buffer.take(payload.elements)
        : result
    const found = wrong(payload, id, arrived)
    if (found !== undefined) throw new Error(found)
    this.buffer?.release()
  }
}

/** Starts the send of a message in its mode. */
export function startSend(world: Communicator, { message, value }: Outgoing): Request<void> {
  const options = { dest: message.to, tag: message.tag }
  if (message.persistent) return persistentSend(world, message, value).start()
  switch (message.send) {
    case 'send':
      return world.isend(value, options)
    case 'ssend':
      return world.issend(value, options)
    case 'bsend':
      return world.ibsend(value, options)
    case 'rsend':
      return world.irsend(value, options)
  }
}

export function persistentSend(
  world: Communicator,
  { to, tag, send }: Message,
  value: unknown,
): ReturnType<Communicator['sendInit']> {
  const options = { dest: to, tag }
  switch (send) {
    case 'send':
      return world.sendInit(value, options)
    case 'ssend':
      return world.ssendInit(value, options)
    case 'bsend':
      return world.bsendInit(value, options)
    case 'rsend':
      return world.rsendInit(value, options)
  }
}

/** Sends with the plain verb of the message's mode. */
export function plainSend(world: Communicator, { message, value }: Outgoing): void {
  world[message.send](value, { dest: message.to, tag: message.tag })
}

/** Starts a receive; the form follows from what was prepared. */
export function startReceive(
  world: Communicator,
  { buffer, message }: Incoming,
  options: RecvOptions,
): Request<unknown> {
  if (message.take === 'persistent') {
    const persistent =
      buffer === undefined ? world.recvInit(options) : world.recvIntoInit(buffer.memory, options)
    const request = persistent.start()
    persistent.free()
    return request
  }
  return buffer === undefined ? world.irecv(options) : world.irecvInto(buffer.memory, options)
}

/** Lets the event loop turn once. */
export async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

/** What `look` finds, looked for until it is there. */
export async function until<T>(look: () => T | undefined, style: Style): Promise<T> {
  for (;;) {
    const found = look()
    if (found !== undefined) return found
    if (style === 'await') await turn()
  }
}
