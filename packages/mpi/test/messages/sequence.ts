import {
  ANY_SOURCE,
  ANY_TAG,
  Status,
  type Mpi,
  type Request,
  type Source,
  type Tag,
} from '@commworld/mpi'
import {
  Incoming,
  Outgoing,
  persistentSend,
  plainSend,
  startReceive,
  startSend,
  until,
  type Style,
} from './actor.js'
import { Expected, type Envelope } from './expected.js'
import type { Gather, Message, Sequence } from './script.js'

/** One message after the other; each waits for its end before the next. */
export async function follow(mpi: Mpi, phase: Sequence, style: Style): Promise<void> {
  const { rank } = mpi.world
  const step = new Step(mpi, style)
  for (const message of phase.messages) {
    const starts = message.persistent ? phase.starts : 1
    if (message.from === message.to) {
      if (message.from === rank) await toItself(mpi, message, style)
    } else if (message.from === rank) {
      await step.send(message, starts)
    } else if (message.to === rank) {
      const tag = phase.anyTag ? ANY_TAG : message.tag
      for (let start = 0; start < starts; start++) await step.receive(message, tag)
    }
  }
}

/** One takes from all others, whoever comes first. */
export async function collect(mpi: Mpi, phase: Gather, style: Style): Promise<void> {
  const { rank, size } = mpi.world
  const step = new Step(mpi, style)
  if (rank !== phase.root) {
    for (const message of phase.messages) if (message.from === rank) await step.send(message, 1)
    return
  }
  const expected = new Expected(phase.messages)
  for (let taken = 0; taken < phase.messages.length; taken++) {
    if (taken % (size + 1) === 0) await step.receiveAnything(expected)
    else await step.receiveProbed(expected)
  }
}

interface Pattern {
  readonly source: Source
  readonly tag: Tag
}

/** Verbs that wait, in the style of the rank. */
class Step {
  readonly #mpi: Mpi
  readonly #style: Style

  constructor(mpi: Mpi, style: Style) {
    this.#mpi = mpi
    this.#style = style
  }

  async send(message: Message, starts: number): Promise<void> {
    const { world } = this.#mpi
    const outgoing = new Outgoing(this.#mpi, message)
    if (message.persistent) {
      const persistent = persistentSend(world, message, outgoing.value)
      for (let start = 0; start < starts; start++) await this.#end(persistent.start())
      persistent.free()
    } else if (this.#style === 'plain') {
      plainSend(world, outgoing)
    } else {
      await this.#end(startSend(world, outgoing))
    }
    outgoing.release()
  }

  async receive(message: Message, tag: Tag): Promise<void> {
    const { world } = this.#mpi
    const options: Pattern = { source: message.from, tag }
    const incoming = new Incoming(this.#mpi, message)
    if (message.take === 'probe') {
      incoming.check(...(await this.#plain(incoming, await this.#probe(options))))
    } else if (message.take === 'mprobe') {
      await this.#takeMatched(options, () => incoming)
    } else if (message.take === 'persistent' || this.#style !== 'plain') {
      const request = startReceive(world, incoming, options)
      incoming.check(await this.#end(request), request.status)
    } else {
      incoming.check(...(await this.#plain(incoming, options)))
    }
  }

  async receiveAnything(expected: Expected): Promise<void> {
    const { world } = this.#mpi
    const request = world.irecv({ source: ANY_SOURCE })
    const value = await this.#end(request)
    const { source } = request.status
    const message = expected.next(source as number, undefined)
    new Incoming(this.#mpi, { ...message, into: false }).check(value, request.status)
  }

  async receiveProbed(expected: Expected): Promise<void> {
    await this.#takeMatched({ source: ANY_SOURCE, tag: ANY_TAG }, ({ source }) => {
      return new Incoming(this.#mpi, expected.next(source as number, undefined))
    })
  }

  async #takeMatched(options: Pattern, prepare: (status: Envelope) => Incoming): Promise<void> {
    const { world } = this.#mpi
    const isAwaited = this.#style === 'await'
    const matched = isAwaited
      ? await until(() => world.improbe(options), this.#style)
      : world.mprobe(options)
    const incoming = prepare(matched.status)
    const { buffer } = incoming
    if (this.#style === 'plain') {
      const result = buffer === undefined ? matched.recv() : matched.recvInto(buffer.memory)
      incoming.check(result, matched.status)
    } else {
      const request: Request<unknown> =
        buffer === undefined ? matched.irecv() : matched.irecvInto(buffer.memory)
      incoming.check(await this.#end(request), request.status)
    }
  }

  /** @returns what names the probed message, and only that */
  async #probe(options: Pattern): Promise<{ source: number; tag: number }> {
    const { world } = this.#mpi
    const isAwaited = this.#style === 'await'
    const status = isAwaited
      ? await until(() => world.iprobe(options), this.#style)
      : world.probe(options)
    return { source: status.source as number, tag: status.tag }
  }

  async #plain(incoming: Incoming, options: Pattern): Promise<[unknown, Envelope]> {
    const { world } = this.#mpi
    if (this.#style !== 'plain') {
      const request = startReceive(world, incoming, options)
      return [await this.#end(request), request.status]
    }
    const status = new Status()
    const { buffer } = incoming
    const result =
      buffer === undefined
        ? world.recv({ ...options, status })
        : world.recvInto(buffer.memory, { ...options, status })
    return [result, status]
  }

  async #end<T>(request: Request<T>): Promise<T> {
    return this.#style === 'await' ? await request : request.wait()
  }
}

async function toItself(mpi: Mpi, message: Message, style: Style): Promise<void> {
  const outgoing = new Outgoing(mpi, message)
  const incoming = new Incoming(mpi, message)
  const send = startSend(mpi.world, outgoing)
  const options = { source: message.from, tag: message.tag }
  const receive = startReceive(mpi.world, incoming, options)
  const result = style === 'await' ? await receive : receive.wait()
  if (style === 'await') await send
  else send.wait()
  incoming.check(result, receive.status)
  outgoing.release()
}
