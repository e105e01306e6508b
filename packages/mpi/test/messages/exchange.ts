import { PROC_NULL, Status, type Mpi, type Request, type SendrecvOptions } from '@commworld/mpi'
import type { Style } from './actor.js'
import { checkEnvelope, type Envelope } from './expected.js'
import { arrayOf, contentOf, wrong, type Payload } from './payload.js'
import { Buffer } from './place.js'
import type { Exchange, Message } from './script.js'

/** Everybody sends up and receives from below, at once. */
export async function exchange(mpi: Mpi, phase: Exchange, style: Style): Promise<void> {
  const { rank } = mpi.world
  const peer = (distance: number): number | undefined => neighbour(mpi, distance, phase.periodic)
  const [above, below] = [peer(phase.shift), peer(-phase.shift)]
  const options: Options = {
    dest: above ?? PROC_NULL,
    sendTag: 10 + rank,
    source: below ?? PROC_NULL,
    status: new Status(),
  }
  const { payload, verb } = phase
  const { value, status } =
    payload.form === 'memory' && verb !== 'sendrecv'
      ? await withMemory(mpi, phase, payload, options, style)
      : await withValues(mpi, phase, options, style)
  if (below === undefined) {
    if (status.source !== PROC_NULL || status.bytes !== 0) throw new Error('nobody sent something')
    return
  }
  checkEnvelope({ from: below, tag: 10 + below, payload } as Message, status)
  const found = wrong(payload, 1 + below, value)
  if (found !== undefined) throw new Error(found)
}

type Options = SendrecvOptions & { status: Status }

async function withValues(
  { world }: Mpi,
  { payload }: Exchange,
  options: Options,
  style: Style,
): Promise<{ value: unknown; status: Envelope }> {
  const value = contentOf(payload, 1 + world.rank)
  if (style === 'plain') return { value: world.sendrecv(value, options), status: options.status }
  const request = world.isendrecv(value, options)
  return { value: await ended(request, style), status: request.status }
}

async function withMemory(
  mpi: Mpi,
  { verb, sendPlace, takePlace }: Exchange,
  payload: Payload & { form: 'memory' },
  options: Options,
  style: Style,
): Promise<{ value: unknown; status: Envelope }> {
  const { world } = mpi
  const { kind, elements } = payload
  const send = new Buffer(mpi, kind, elements, sendPlace)
  const replaces = verb === 'sendrecvReplace'
  const recv = replaces ? send : new Buffer(mpi, kind, elements, takePlace)
  send.fill(arrayOf(payload, 1 + world.rank))
  let status: Envelope
  if (style === 'plain') {
    status = replaces
      ? world.sendrecvReplace(send.memory, options)
      : world.sendrecvInto(send.memory, recv.memory, options)
  } else {
    status = await ended(
      replaces
        ? world.isendrecvReplace(send.memory, options)
        : world.isendrecvInto(send.memory, recv.memory, options),
      style,
    )
  }
  if (options.source === PROC_NULL) {
    const kept = replaces ? send.take(elements) : undefined
    if (kept !== undefined && wrong(payload, 1 + world.rank, kept) !== undefined) {
      throw new Error('nobody sent, and the buffer has changed')
    }
    return { value: undefined, status }
  }
  const value = recv.take(elements)
  recv.release()
  if (!replaces) send.release()
  return { value, status }
}

async function ended<T>(request: Request<T>, style: Style): Promise<T> {
  return style === 'await' ? await request : request.wait()
}

function neighbour({ world }: Mpi, distance: number, periodic: boolean): number | undefined {
  const { rank, size } = world
  const peer = rank + distance
  if (periodic) return ((peer % size) + size) % size
  return peer >= 0 && peer < size ? peer : undefined
}
