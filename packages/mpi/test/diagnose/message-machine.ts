import fc from 'fast-check'
import { TraceFlag, TraceRecorder, operationCode, type RankTrace } from '../../src/record/trace.js'

/** A small MPI on paper: the oracle of the replay. Receives name their source. */

export type Step =
  | { do: 'send' | 'isend' | 'bsend'; dest: number; tag: number }
  | { do: 'recv' | 'irecv' | 'probe'; source: number; tag: number | 'any' }
  | { do: 'sendrecv'; dest: number; source: number; tag: number }
  | { do: 'waitAll' }
  | { do: 'barrier' }
  | { do: 'bcast'; root: number }

export type Paper = readonly (readonly Step[])[]

export interface Outcome {
  /** By rank, the index of the step it never got past; the number of steps when it ended. */
  stoppedAt: number[]
  traces: RankTrace[]
  unreceived: number
}

interface Message {
  from: number
  to: number
  tag: number
  number: number
  buffered: boolean
  taken: boolean
}

interface Posted {
  source: number
  tag: number | 'any'
  entry: number
  message?: Message
}

type Open = { entry: number; done: () => boolean }

/**
 * Runs a paper program. `buffered`: every send completes at once. `synchronising`: every collective
 * waits for all; otherwise a bcast waits for its root only.
 */
export function runOnPaper(
  paper: Paper,
  options: { buffered: boolean; synchronising?: boolean; limit?: number },
): Outcome {
  const machine = new Machine(paper, options)
  while (paper.some((_steps, rank) => machine.step(rank)));
  return machine.outcome()
}

class Machine {
  readonly #paper: Paper
  readonly #buffered: boolean
  readonly #synchronising: boolean
  readonly #at: number[]
  /** What the current step waits for; undefined before it was posted. */
  readonly #waiting: (Open[] | undefined)[]
  readonly #open: Open[][]
  readonly #posted: Posted[][]
  readonly #arrived: Message[][]
  readonly #counts = new Map<string, number>()
  readonly #collectives: number[]
  readonly #entered = new Map<number, Set<number>>()
  readonly #traces: TraceRecorder[]

  constructor(
    paper: Paper,
    options: { buffered: boolean; synchronising?: boolean; limit?: number },
  ) {
    this.#paper = paper
    this.#buffered = options.buffered
    this.#synchronising = options.synchronising ?? false
    this.#at = paper.map(() => 0)
    this.#waiting = paper.map(() => undefined)
    this.#open = paper.map(() => [])
    this.#posted = paper.map(() => [])
    this.#arrived = paper.map(() => [])
    this.#collectives = paper.map(() => 0)
    this.#traces = paper.map(() => new TraceRecorder(options.limit))
  }

  outcome(): Outcome {
    return {
      stoppedAt: [...this.#at],
      traces: this.#traces.map((trace, rank) => trace.finish(rank)),
      unreceived: this.#arrived.flat().filter((message) => !message.taken).length,
    }
  }

  /** Whether the rank got any further. */
  step(rank: number): boolean {
    const step = this.#paper[rank]?.[this.#at[rank] ?? 0]
    if (step === undefined) return false
    const fresh = this.#waiting[rank] === undefined
    const waiting = (this.#waiting[rank] ??= this.#begin(rank, step))
    if (!waiting.every((one) => one.done())) return fresh
    this.#waiting[rank] = undefined
    this.#at[rank] = (this.#at[rank] ?? 0) + 1
    return true
  }

  #begin(rank: number, step: Step): Open[] {
    const trace = this.#traces[rank] as TraceRecorder
    const open = this.#open[rank] as Open[]
    switch (step.do) {
      case 'send':
      case 'bsend':
        return [this.#send(rank, step.dest, step.tag, step.do)]
      case 'isend':
        open.push(this.#send(rank, step.dest, step.tag, 'isend'))
        return []
      case 'recv':
        return [this.#receive(rank, step.source, step.tag, 'recv')]
      case 'irecv':
        open.push(this.#receive(rank, step.source, step.tag, 'irecv'))
        return []
      case 'probe':
        return [this.#probe(rank, step.source, step.tag)]
      case 'sendrecv': {
        const receive = this.#receive(rank, step.source, step.tag, 'irecv')
        const send = this.#send(rank, step.dest, step.tag, 'isend')
        const code = operationCode('sendrecv')
        for (const { entry } of [receive, send]) trace.wait(code, 0, entry)
        return [receive, send]
      }
      case 'waitAll': {
        for (const { entry } of open) trace.wait(operationCode('waitAll'), 0, entry)
        return open.splice(0)
      }
      default:
        return [this.#collective(rank, step)]
    }
  }

  #send(rank: number, dest: number, tag: number, name: 'send' | 'isend' | 'bsend'): Open {
    const key = `${rank}:${dest}`
    const number = this.#counts.get(key) ?? 0
    this.#counts.set(key, number + 1)
    const buffered = name === 'bsend'
    const flags = (name === 'isend' ? 0 : TraceFlag.blocking) | (buffered ? TraceFlag.buffered : 0)
    const trace = this.#traces[rank] as TraceRecorder
    const entry = trace.send(operationCode(name), flags, dest, number, 0, tag)
    const message: Message = { from: rank, to: dest, tag, number, buffered, taken: false }
    this.#arrived[dest]?.push(message)
    this.#match(dest)
    return { entry, done: () => this.#buffered || buffered || message.taken }
  }

  #receive(rank: number, source: number, tag: number | 'any', name: 'recv' | 'irecv'): Open {
    const trace = this.#traces[rank] as TraceRecorder
    const flags = name === 'recv' ? TraceFlag.blocking : 0
    const entry = trace.receive(operationCode(name), flags, 0, tag === 'any' ? -1 : tag)
    const posted: Posted = { source, tag, entry }
    this.#posted[rank]?.push(posted)
    this.#match(rank)
    return { entry, done: () => posted.message !== undefined }
  }

  #probe(rank: number, source: number, tag: number | 'any'): Open {
    let recorded = false
    const done = (): boolean => {
      const message = this.#arrived[rank]?.find((one) => !one.taken && fits(one, source, tag))
      if (message === undefined) return false
      const trace = this.#traces[rank] as TraceRecorder
      if (!recorded) trace.probe(operationCode('probe'), 0, source, message.number, 0, message.tag)
      return (recorded = true)
    }
    return { entry: -1, done }
  }

  #match(rank: number): void {
    for (const posted of this.#posted[rank] ?? []) {
      if (posted.message) continue
      const message = this.#arrived[rank]?.find(
        (one) => !one.taken && fits(one, posted.source, posted.tag),
      )
      if (message === undefined) continue
      posted.message = message
      message.taken = true
      this.#traces[rank]?.matched(posted.entry, message.from, message.number)
    }
  }

  #collective(rank: number, step: Extract<Step, { do: 'barrier' | 'bcast' }>): Open {
    const nth = this.#collectives[rank] ?? 0
    this.#collectives[rank] = nth + 1
    const entered = this.#entered.get(nth) ?? new Set<number>()
    this.#entered.set(nth, entered.add(rank))
    const root = step.do === 'bcast' ? step.root : -1
    const all = this.#paper.length
    const kind = step.do === 'bcast' ? TraceFlag.fromRoot : TraceFlag.everybody
    const flags = TraceFlag.blocking | kind
    this.#traces[rank]?.collective(operationCode(step.do), flags, root, 0, nth, all)
    const rooted = step.do === 'bcast' && !this.#synchronising
    const done = (): boolean => (rooted ? rank === root || entered.has(root) : entered.size === all)
    return { entry: -1, done }
  }
}

function fits(message: Message, source: number, tag: number | 'any'): boolean {
  return message.from === source && (tag === 'any' || message.tag === tag)
}

/** Programs in which most messages find a receive: messages are dealt out, then shuffled a little. */
export const aPaper: fc.Arbitrary<Paper> = fc.integer({ min: 2, max: 4 }).chain((size) => {
  const rank = fc.nat({ max: size - 1 })
  const tag = fc.nat({ max: 1 })
  const message = fc.record({
    from: rank,
    to: rank,
    tag,
    sending: fc.constantFrom('send', 'send', 'isend', 'bsend') as fc.Arbitrary<
      'send' | 'isend' | 'bsend'
    >,
    receiving: fc.constantFrom('recv', 'recv', 'irecv', 'probe') as fc.Arbitrary<
      'recv' | 'irecv' | 'probe'
    >,
    receiverFirst: fc.boolean(),
    anyTag: fc.boolean(),
  })
  const event = fc.oneof(
    { weight: 10, arbitrary: message },
    { weight: 2, arbitrary: fc.constant('barrier' as const) },
    { weight: 2, arbitrary: fc.record({ root: rank }) },
    { weight: 2, arbitrary: fc.record({ waits: rank }) },
    { weight: 2, arbitrary: fc.record({ shift: tag }) },
  )
  const swaps = fc.array(fc.tuple(rank, fc.nat({ max: 12 })), { maxLength: 6 })
  return fc.tuple(fc.array(event, { maxLength: 10 }), swaps).map(([events, swapped]) => {
    const paper: Step[][] = Array.from({ length: size }, () => [])
    const put = (to: number, step: Step): number => (paper[to] as Step[]).push(step)
    for (const one of events) {
      if (one === 'barrier') paper.forEach((_steps, to) => put(to, { do: 'barrier' }))
      else if ('root' in one)
        paper.forEach((_steps, to) => put(to, { do: 'bcast', root: one.root }))
      else if ('waits' in one) put(one.waits, { do: 'waitAll' })
      else if ('shift' in one) {
        paper.forEach((_steps, to) => {
          const dest = (to + 1) % size
          put(to, { do: 'sendrecv', dest, source: (to + size - 1) % size, tag: one.shift })
        })
      } else {
        const asked = one.anyTag ? ('any' as const) : one.tag
        if (one.receiving === 'probe') put(one.to, { do: 'probe', source: one.from, tag: asked })
        const receiving = one.receiving === 'probe' ? 'recv' : one.receiving
        const receive: Step = { do: receiving, source: one.from, tag: asked }
        if (one.receiverFirst) put(one.to, receive)
        put(one.from, { do: one.sending, dest: one.to, tag: one.tag })
        if (!one.receiverFirst) put(one.to, receive)
      }
    }
    for (const [to, at] of swapped) {
      const steps = paper[to] as Step[]
      const [a, b] = [steps[at], steps[at + 1]]
      if (a && b) [steps[at], steps[at + 1]] = [b, a]
    }
    return paper
  })
})
