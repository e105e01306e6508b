import { MpiError, type Mpi } from '@commworld/mpi'
import { expect } from 'vitest'

type ErrorClass = abstract new (...facts: never[]) => MpiError

/** What is expected of a call that is refused: class, code of the standard, and words of the message. */
export interface Refusal {
  readonly is: ErrorClass
  readonly code: string
  readonly says: RegExp
}

/** Expects that the call throws this at once. */
export function refuses(call: () => unknown, refusal: Refusal): void {
  let thrown: unknown
  try {
    call()
  } catch (error) {
    thrown = error
  }
  expectRefusal(thrown, refusal)
}

/** Expects that the promise is rejected with this. */
export async function rejects(promise: PromiseLike<unknown>, refusal: Refusal): Promise<void> {
  let thrown: unknown
  try {
    await promise
  } catch (error) {
    thrown = error
  }
  expectRefusal(thrown, refusal)
}

export function expectRefusal(thrown: unknown, { is, code, says }: Refusal): void {
  expect(thrown).toBeInstanceOf(is)
  expect(thrown).toBeInstanceOf(MpiError)
  expect(thrown).toMatchObject({ code })
  expect((thrown as Error).message).toMatch(says)
}

/** Everybody hears from everybody: nothing of the mistake before is left in the way. */
export async function allIsWell({ world }: Mpi): Promise<void> {
  const ranks = [...Array(world.size).keys()]
  const sends = ranks.map((dest) => world.isend([world.rank, dest], { dest, tag: 9 }))
  const received = await Promise.all(ranks.map((source) => world.irecv({ source, tag: 9 })))
  await Promise.all(sends)
  expect(received).toEqual(ranks.map((source) => [source, world.rank]))
}
