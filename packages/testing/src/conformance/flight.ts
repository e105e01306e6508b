import {
  ANY_SOURCE,
  testAny,
  waitAll,
  waitAny,
  type Communicator,
  type Mpi,
  type Request,
} from '@commworld/mpi'
import { makeCommunicator } from '../arbitraries/communicators.js'
import type { Flight, MessageStep } from '../arbitraries/flights.js'
import { drawing } from '../arbitraries/seeded.js'
import { MemoryPart } from './memory-part.js'
import { turn, turns } from './started-call.js'
import { ValuePart } from './value-part.js'

/** One request under way, and what to do with what it gives. */
interface Open {
  readonly what: string
  readonly request: Request<unknown>
  readonly check: (result: unknown) => void
}

/** Whether ranks have threads of their own, and so may block. */
export type Blocking = 'blocks' | 'never blocks'

/**
 * Begins all operations of a flight in order, on all ranks of the world, and completes them in any.
 *
 * @returns how many there were
 * @throws {Error} one of them gives what it should not, in words
 */
export async function performFlight(
  mpi: Mpi,
  { steps, window, communicators: shapes, seed }: Flight,
  blocking: Blocking,
): Promise<number> {
  const { world } = mpi
  const communicators: Communicator[] = []
  for (const shape of shapes) communicators.push(await makeCommunicator(world, shape))
  const draw = drawing(seed * 31 + world.rank)
  const open: Open[] = []
  const parts: MemoryPart[] = []
  for (const [index, step] of steps.entries()) {
    if (draw(3) === 0) await turns(draw(3))
    if ('message' in step) open.push(...exchange(world, index, step.message))
    else {
      const on = communicators[step.on % communicators.length]!
      const part =
        'memory' in step ? new MemoryPart(mpi, step.memory, on) : new ValuePart(on, step.values)
      if (part instanceof MemoryPart) parts.push(part)
      const check = (result: unknown): void => part.check(result)
      // It fits the world, and not all that are smaller.
      if (part.mustBeRefused) part.refuse()
      else open.push({ what: `step ${index}`, request: part.begin(), check })
    }
    while (open.length >= window) await completeSome(open, draw, blocking)
  }
  while (open.length > 0) await completeSome(open, draw, blocking)
  for (const part of parts) part.release()
  for (const one of communicators) if (one !== world) one.free()
  // Who receives from anybody must not get what somebody sends in the next flight.
  await world.ibarrier()
  return steps.length
}

/** Each rank sends to the one `shift` above it, and receives from as far below. */
function exchange(
  world: Communicator,
  index: number,
  { shift, tag, length, fromAny }: MessageStep,
): Open[] {
  const { rank, size } = world
  const contentOf = (from: number): number[] => Array(length + 2).fill(1000 * index + from)
  const below = (rank + size * 8 - shift) % size
  // From anybody, so with a tag that no other step has.
  const own = fromAny ? 1000 + index : tag
  const source = fromAny ? ANY_SOURCE : below
  const what = `message of step ${index}`
  const nothing = (result: unknown): void => {
    if (result !== undefined) throw new Error(`the send gave ${String(result)}`)
  }
  const right = (result: unknown): void => {
    const seen = result as number[]
    const wanted = contentOf(below)
    if (seen.length === wanted.length && seen.every((value) => value === wanted[0])) return
    throw new Error(`${JSON.stringify(seen.slice(0, 4))} came instead of ${wanted[0]}`)
  }
  const receive = world.irecv({ source, tag: own })
  const send = world.isend(contentOf(rank), { dest: (rank + shift) % size, tag: own })
  return [
    { what, request: send, check: nothing },
    { what, request: receive, check: right },
  ]
}

/** Completes one or all of them, in one of the ways there are. */
async function completeSome(
  open: Open[],
  draw: (bound: number) => number,
  blocking: Blocking,
): Promise<void> {
  const take = (index: number, result: unknown): void => {
    const [{ what, check }] = open.splice(index, 1) as [Open]
    try {
      check(result)
    } catch (error) {
      throw new Error(`${what}: ${String(error)}`, { cause: error })
    }
  }
  const requests = open.map(({ request }) => request)
  const one = draw(open.length)
  switch (draw(blocking === 'blocks' ? 7 : 4)) {
    case 0:
      return take(one, await open[one]!.request)
    case 1:
      while (!open[one]!.request.test()) await turn()
      return take(one, open[one]!.request.wait())
    case 2: {
      let found = testAny(requests)
      for (; found === undefined; found = testAny(requests)) await turn()
      return take(found.index, found.value)
    }
    case 3: {
      const results = await Promise.all(requests)
      for (const result of results) take(0, result)
      return
    }
    case 4:
      return take(one, open[one]!.request.wait())
    case 5: {
      const found = waitAny(requests)!
      return take(found.index, found.value)
    }
    default:
      for (const result of waitAll(requests)) take(0, result)
  }
}
