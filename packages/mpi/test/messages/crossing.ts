import { ANY_SOURCE, ANY_TAG, PROC_NULL, type Mpi, type Request } from '@commworld/mpi'
import { Incoming, Outgoing, startReceive, startSend, until, type Style } from './actor.js'
import { complete } from './completing.js'
import { Expected, type Envelope } from './expected.js'
import type { Crossing, Message, Naming } from './script.js'

const NOBODY_SENDS = 77

interface Pattern {
  readonly source: number | typeof ANY_SOURCE
  readonly tag: number | typeof ANY_TAG
}

/** A receive that was started, and how to find out what it got. */
interface Receive {
  readonly request: Request<unknown>
  readonly incoming: (status: Envelope) => Incoming
}

/** Starts all sends and receives of this rank, and then completes them. */
export async function cross(mpi: Mpi, phase: Crossing, style: Style): Promise<void> {
  const { rank } = mpi.world
  const outgoing = phase.messages
    .filter(({ from }) => from === rank)
    .map((message) => new Outgoing(mpi, message))
  const receiver = new Receiver(mpi, phase, style)
  const cancelled = startCancelled(mpi, phase.cancels)
  const asides = phase.asides ? startAsides(mpi) : undefined
  const receives = await receiver.post(receiver.slots.filter(({ turn }) => turn < 1))
  const sends = outgoing.map((each) => startSend(mpi.world, each))
  receives.push(...(await receiver.post(receiver.slots.filter(({ turn }) => turn >= 1))))

  const requests = [...receives.map(({ request }) => request), ...sends]
  const results = await complete(requests, phase.completing[rank]!, style)
  receives.forEach(({ request, incoming }, index) => {
    incoming(request.status).check(results[index], request.status)
  })
  for (const each of outgoing) each.release()
  await endCancelled(cancelled)
  await asides?.()
}

/** The receives of one rank: each for the message that the law of order gives to it. */
class Receiver {
  readonly slots: readonly { turn: number; message: Message }[]
  readonly #mpi: Mpi
  readonly #style: Style
  readonly #naming: Naming
  readonly #expected: Expected
  #isOpen = false

  constructor(mpi: Mpi, { messages, naming }: Crossing, style: Style) {
    const { rank } = mpi.world
    const mine = messages.filter(({ to }) => to === rank)
    this.#mpi = mpi
    this.#style = style
    this.#naming = naming[rank]!
    this.#expected = new Expected(mine)
    this.slots = mine
      .map((message) => ({ turn: message.turn, message }))
      .toSorted((a, b) => a.turn - b.turn)
  }

  async post(slots: readonly { turn: number; message: Message }[]): Promise<Receive[]> {
    const receives: Receive[] = []
    for (const { turn, message } of slots) receives.push(await this.#postOne(turn, message))
    return receives
  }

  async #postOne(turn: number, slot: Message): Promise<Receive> {
    const pattern = this.#pattern(slot)
    // A rank that has not sent yet must not wait for others.
    const waits = turn >= 1 && (slot.take === 'probe' || slot.take === 'mprobe') && !this.#isOpen
    if (waits && slot.take === 'mprobe') return await this.#matched(pattern)
    if (waits) return await this.#probed(pattern)
    return this.#started(slot, pattern)
  }

  #started(slot: Message, pattern: Pattern): Receive {
    const { world } = this.#mpi
    if (pattern.source === ANY_SOURCE) {
      // Who will be first is open, and with that what comes, to this receive and to later probes.
      this.#isOpen = true
      const request = world.irecv(pattern)
      return { request, incoming: (status) => this.#anything(status, pattern.tag) }
    }
    const message = this.#next(slot.from, pattern.tag)
    const incoming = new Incoming(this.#mpi, message)
    return { request: startReceive(world, incoming, pattern), incoming: () => incoming }
  }

  async #matched(pattern: Pattern): Promise<Receive> {
    const { world } = this.#mpi
    const isPlain = this.#style !== 'await'
    const matched = isPlain
      ? world.mprobe(pattern)
      : await until(() => world.improbe(pattern), this.#style)
    const incoming = this.#probedFor(matched.status, pattern.tag)
    const { buffer } = incoming
    const request: Request<unknown> =
      buffer === undefined ? matched.irecv() : matched.irecvInto(buffer.memory)
    return { request, incoming: () => incoming }
  }

  async #probed(pattern: Pattern): Promise<Receive> {
    const { world } = this.#mpi
    const isPlain = this.#style !== 'await'
    const status = isPlain
      ? world.probe(pattern)
      : await until(() => world.iprobe(pattern), this.#style)
    const incoming = this.#probedFor(status, pattern.tag)
    const { from: source, tag } = incoming.message
    return { request: startReceive(world, incoming, { source, tag }), incoming: () => incoming }
  }

  #probedFor(status: Envelope, tag: Pattern['tag']): Incoming {
    return new Incoming(this.#mpi, this.#next(status.source as number, tag))
  }

  #anything(status: Envelope, tag: Pattern['tag']): Incoming {
    const message = this.#next(status.source as number, tag)
    return new Incoming(this.#mpi, { ...message, into: false })
  }

  #next(source: number, tag: Pattern['tag']): Message {
    return this.#expected.next(source, tag === ANY_TAG ? undefined : tag)
  }

  #pattern({ from, tag }: Message): Pattern {
    switch (this.#naming) {
      case 'exact':
        return { source: from, tag }
      case 'anyTag':
        return { source: from, tag: ANY_TAG }
      case 'anySource':
        return { source: ANY_SOURCE, tag }
      case 'any':
        return { source: ANY_SOURCE, tag: ANY_TAG }
    }
  }
}

function startCancelled({ world }: Mpi, count: number): Request<unknown>[] {
  return Array.from({ length: count }, (_, index) => {
    const options = { source: index % world.size, tag: NOBODY_SENDS }
    return index % 2 === 0 ? world.irecv(options) : world.irecvInto(new Uint8Array(8), options)
  })
}

async function endCancelled(requests: readonly Request<unknown>[]): Promise<void> {
  for (const request of requests) {
    if (request.test()) throw new Error('a receive got what nobody sent')
    request.cancel()
    await request
    const { cancelled, source } = request.status
    if (!cancelled || source !== PROC_NULL) throw new Error('a receive was not cancelled')
  }
}

/** Messages to nobody, and to itself where nobody else is. */
function startAsides({ world, self }: Mpi): () => Promise<void> {
  const sends = [
    world.isend([1], { dest: PROC_NULL }),
    self.isend({ from: world.rank }, { dest: 0, tag: 1 }),
    self.issend(new Float64Array(300).fill(world.rank), { dest: 0, tag: 0 }),
  ]
  const nothing = world.irecv({ source: PROC_NULL })
  const receives = [
    self.irecv<{ from: number }>({ source: ANY_SOURCE }),
    self.irecv<Float64Array>({ source: ANY_SOURCE, tag: ANY_TAG }),
  ] as const
  return async () => {
    const [first, second] = await Promise.all(receives)
    await Promise.all(sends)
    const right =
      first.from === world.rank &&
      second.length === 300 &&
      second.every((value) => value === world.rank) &&
      (await nothing) === undefined &&
      nothing.status.source === PROC_NULL
    if (!right) throw new Error('messages to oneself came to somebody else')
  }
}
