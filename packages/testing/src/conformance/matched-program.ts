import { ANY_SOURCE, ANY_TAG, SUM, type Communicator, type Mpi } from '@commworld/mpi'
import { membersOf, type MatchedProgram, type MatchedMessage } from '../arbitraries/programs.js'

/** What one operation gave a rank. */
export type Gain =
  /** The receive of message `step` took message `got`, which rank `source` of the world had sent. */
  | { readonly step: number; readonly source: number; readonly got: number }
  | { readonly step: number; readonly sum: number }

/** What a rank got, in the order in which it asked for it. */
export type Outcome = readonly Gain[]

/**
 * Runs a rank's part of a matched program. All that is begun is under way at once, until a collective
 * that is waited for, or the end: then it is completed, receives first.
 * @example
 * await fc.assert(forAllWorlds({ data: (ranks) => programs(ranks) }, perform), { numRuns: 20 })
 */
export async function perform({ world }: Mpi, program: MatchedProgram): Promise<Outcome> {
  return await new Part(world, program).run()
}

class Part {
  readonly #program: MatchedProgram
  readonly #rank: number
  readonly #communicators: Communicator[]
  readonly #gains: Gain[] = []
  #underWay: (() => Promise<void>)[] = []

  constructor(world: Communicator, program: MatchedProgram) {
    this.#program = program
    this.#rank = world.rank
    this.#communicators = [world]
  }

  async run(): Promise<Outcome> {
    for (const [number, step] of this.#program.steps.entries()) {
      const on = this.#communicators[step.on]!
      if (step.kind === 'message') {
        this.#beginMessage(number, step, on)
        continue
      }
      if (step.kind === 'split') {
        await this.#complete()
        this.#communicators.push(await on.isplit({ color: step.colors[this.#rank]! }))
        continue
      }
      if (!step.overlaps) await this.#complete()
      this.#beginCollective(number, step.kind, on)
      if (!step.overlaps) await this.#complete()
    }
    await this.#complete()
    for (const made of this.#communicators.slice(1)) made.free()
    return this.#gains
  }

  #beginMessage(number: number, step: MatchedMessage, on: Communicator): void {
    const members = membersOf(this.#program)[step.on]![this.#rank]!
    if (step.to === this.#rank) {
      const source = step.anySource ? ANY_SOURCE : members.indexOf(step.from)
      const request = on.irecv<number>({ source, tag: step.anyTag ? ANY_TAG : step.tag })
      this.#underWay.push(async () => {
        const got = await request
        const sender = members[Number(request.status.source)]!
        this.#gains.push({ step: number, source: sender, got })
      })
    }
    if (step.from === this.#rank) {
      const sent = on.isend(number, { dest: members.indexOf(step.to), tag: step.tag })
      this.#underWay.push(async () => await sent)
    }
  }

  #beginCollective(number: number, kind: 'barrier' | 'allreduce', on: Communicator): void {
    if (kind === 'barrier') {
      const barrier = on.ibarrier()
      this.#underWay.push(async () => await barrier)
    } else {
      const request = on.iallreduce(number + this.#rank, SUM)
      this.#underWay.push(async () => {
        this.#gains.push({ step: number, sum: await request })
      })
    }
  }

  async #complete(): Promise<void> {
    const open = this.#underWay
    this.#underWay = []
    for (const one of open) await one()
  }
}

/**
 * What is wrong with what the ranks got, in words: a message lost or doubled, taken by a receive that it
 * does not match, overtaken by a later one of the same sender (MPI 4.1, section 3.5), or a wrong sum.
 * @example
 * const program = { ranks: 1, steps: [{ kind: 'allreduce', on: 0, overlaps: false }] }
 * outcomeFault(program, [[{ step: 0, sum: 1 }]])
 * // 'rank 0, operation 0: the sum is 1, and must be 0'
 */
export function outcomeFault(
  program: MatchedProgram,
  outcomes: readonly Outcome[],
): string | undefined {
  const taken = new Set<number>()
  for (const [rank, outcome] of outcomes.entries()) {
    for (const gain of outcome) {
      const fault = gainFault(program, rank, gain) ?? doubled(taken, gain)
      if (fault !== undefined) return `rank ${rank}, operation ${gain.step}: ${fault}`
    }
    const overtaken = overtakingFault(program, outcome)
    if (overtaken !== undefined) return `rank ${rank}, ${overtaken}`
  }
  const lost = program.steps.findIndex((step, at) => step.kind === 'message' && !taken.has(at))
  return lost < 0 ? undefined : `message ${lost} was not received`
}

function gainFault(program: MatchedProgram, rank: number, gain: Gain): string | undefined {
  const step = program.steps[gain.step]!
  if ('sum' in gain) {
    const members = membersOf(program)[step.on]![rank]!
    const right = members.reduce((sum, member) => sum + member + gain.step, 0)
    return gain.sum === right ? undefined : `the sum is ${gain.sum}, and must be ${right}`
  }
  const sent = program.steps[gain.got]
  if (sent?.kind !== 'message' || step.kind !== 'message')
    return `got ${gain.got}, which is no message`
  if (sent.from !== gain.source) {
    return `message ${gain.got} is of rank ${sent.from}, and its status says ${gain.source}`
  }
  return matches(step, sent) ? undefined : `got message ${gain.got}, which it does not match`
}

function doubled(taken: Set<number>, gain: Gain): string | undefined {
  if ('sum' in gain) return undefined
  if (taken.has(gain.got)) return `message ${gain.got} was received twice`
  taken.add(gain.got)
  return undefined
}

function matches(receive: MatchedMessage, sent: MatchedMessage): boolean {
  if (receive.to !== sent.to || receive.on !== sent.on) return false
  if (!receive.anySource && receive.from !== sent.from) return false
  return receive.anyTag || receive.tag === sent.tag
}

function overtakingFault({ steps }: MatchedProgram, outcome: Outcome): string | undefined {
  const receives = outcome.flatMap((gain) => ('sum' in gain ? [] : [gain]))
  for (const [at, early] of receives.entries()) {
    for (const late of receives.slice(at + 1)) {
      if (late.source !== early.source || late.got > early.got || late.step < early.step) continue
      const receive = steps[early.step] as MatchedMessage
      if (matches(receive, steps[late.got] as MatchedMessage)) {
        return `operation ${early.step}: message ${early.got} overtook message ${late.got}`
      }
    }
  }
  return undefined
}
