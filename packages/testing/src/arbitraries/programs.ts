import { ANY_SOURCE, ANY_TAG, SUM, type Mpi } from '@commworld/mpi'
import fc from 'fast-check'

/** One operation of a matched program. */
export type Step =
  | {
      readonly kind: 'message'
      readonly from: number
      readonly to: number
      readonly tag: number
      /** The receiver takes it from any source, or with any tag. */
      readonly anySource: boolean
      readonly anyTag: boolean
    }
  | { readonly kind: 'barrier' }
  | { readonly kind: 'allreduce' }

/** A program in which every send has its receive: the trace of all ranks, which each takes its part of. */
export interface MatchedProgram {
  readonly ranks: number
  readonly steps: readonly Step[]
}

/** Matched programs; shrinks toward fewer operations, then plainer ones. */
export function programs(ranks: number, stepsMax = 12): fc.Arbitrary<MatchedProgram> {
  const rank = fc.nat(ranks - 1)
  const message = fc.record({
    kind: fc.constant('message' as const),
    from: rank,
    to: rank,
    tag: fc.nat(2),
    anySource: fc.boolean(),
    anyTag: fc.boolean(),
  })
  const step = fc.oneof(
    { weight: 6, arbitrary: message },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'barrier' }) },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'allreduce' }) },
  )
  return fc.array(step, { maxLength: stepsMax }).map((steps) => ({ ranks, steps: alike(steps) }))
}

/**
 * A wildcard may take what a plainer receive needs, and then the program is wrong. So of one rank, from
 * one collective to the next, all receives are as general as the first.
 */
function alike(steps: readonly Step[]): Step[] {
  const first = new Map<number, Extract<Step, { kind: 'message' }>>()
  return steps.map((step) => {
    if (step.kind !== 'message') {
      first.clear()
      return step
    }
    const { anySource, anyTag } = first.get(step.to) ?? step
    if (!first.has(step.to)) first.set(step.to, step)
    return { ...step, anySource, anyTag }
  })
}

/** What a rank got: of each message who sent it and which step it was, of a reduction the sum. */
export type Outcome = readonly (readonly [source: number, step: number] | number)[]

/**
 * Runs a rank's part. Messages between two collectives are all under way at once; the receives of a
 * rank are posted in the order of the program.
 */
export async function perform({ world }: Mpi, { steps }: MatchedProgram): Promise<Outcome> {
  const { rank } = world
  const got: (readonly [number, number] | number)[] = []
  let sends: PromiseLike<void>[] = []
  let receives: { request: ReturnType<typeof world.irecv<number>> }[] = []
  const complete = async (): Promise<void> => {
    for (const { request } of receives) {
      const step = await request
      got.push([Number(request.status.source), step])
    }
    for (const send of sends) await send
    sends = []
    receives = []
  }
  for (const [number, step] of steps.entries()) {
    if (step.kind === 'message') {
      if (step.to === rank) {
        const source = step.anySource ? ANY_SOURCE : step.from
        const tag = step.anyTag ? ANY_TAG : step.tag
        receives.push({ request: world.irecv<number>({ source, tag }) })
      }
      if (step.from === rank) sends.push(world.isend(number, { dest: step.to, tag: step.tag }))
      continue
    }
    await complete()
    if (step.kind === 'barrier') await world.ibarrier()
    else got.push(await world.iallreduce(number + rank, SUM))
  }
  await complete()
  return got
}
