import { captureDeepStack, type CallSite } from './call-sites.js'
import { OPERATION_NAMES, type OperationName } from './operation.js'

/**
 * What a rank did, in order, as short as the replay of the buffering check needs it: posts and
 * waits. Everything blocking is a post with the flag BLOCKING, a sendrecv two posts and two waits,
 * a waitAll a wait for each request.
 *
 * A message is named by its sender, its receiver and how many messages that sender had sent to that
 * receiver before (over all communicators), which both sides know.
 *
 *     word   send            receive, probe        collective         wait
 *     0      kind | flags << 8 | name << 16 (all)
 *     1      dest            source, -1 unmatched  root, -1 none      index of the post
 *     2      message number  message number        context            -
 *     3      context         context               nth of the context -
 *     4      site            site                  site               site      (-1 not recorded)
 *     5      tag             tag                   members            -
 */
export const TRACE_WORDS = 6

export const TraceKind = { send: 0, receive: 1, probe: 2, collective: 3, wait: 4 } as const

export const TraceFlag = {
  /** The call returned only when the operation was complete. */
  blocking: 1,
  /** A send that completes by itself: bsend, and what goes to PROC_NULL need not be traced at all. */
  buffered: 2,
  /**
   * The run chose: a wildcard source, a waitAny, a test or iprobe that said yes, an await that
   * returned while another task of the rank was awaiting as well.
   */
  choice: 4,
  /** A collective in which every member needs every other (barrier, allreduce, alltoall, split, ...). */
  everybody: 8,
  /** A collective in which each member needs the root (bcast, scatter). */
  fromRoot: 16,
  /** A collective in which the root needs every member (reduce, gather). */
  toRoot: 32,
  /** A collective in which each member needs those of lower rank (scan, exscan). */
  fromLower: 64,
} as const

/** A finished trace as it travels to the reporter. Ranks are ranks of the world. */
export interface RankTrace {
  rank: number
  /** Number of entries. */
  length: number
  words: Int32Array
  /** False when the trace stopped at its limit: the rank did more than this. */
  complete: boolean
  /** Stack texts (or located sites) that word 4 numbers. */
  sites?: readonly string[]
}

const codeOf: Readonly<Record<string, number>> = Object.fromEntries(
  OPERATION_NAMES.map((name, code) => [name, code]),
)

/** The number that shared memory and traces hold for a name. */
export function operationCode(name: OperationName): number {
  return codeOf[name] as number
}

/** Entries a trace holds unless told otherwise; beyond that it stops, and the check is silent. */
export const DEFAULT_TRACE_LIMIT = 16384

/** Entries each rank of a world may record: 6 MiB and some 0.3 s of replay in all, however many ranks. */
export function traceLimitFor(ranks: number): number {
  return Math.max(256, Math.min(DEFAULT_TRACE_LIMIT, Math.floor((1 << 18) / ranks)))
}

/**
 * Records the trace of one rank. Allocates only when it grows; stops at its limit.
 *
 * Every method returns the index of the entry, or -1 when the trace has stopped; -1 is accepted
 * wherever an index is asked for.
 */
export class TraceRecorder {
  readonly limit: number
  readonly #words: number[] = []
  /** The stack of each entry, where call sites are wanted whatever they cost. */
  readonly #stacks: CallSite[] | undefined
  #length = 0
  #complete = true

  constructor(limit: number = DEFAULT_TRACE_LIMIT, options: { sites?: boolean } = {}) {
    this.limit = limit
    this.#stacks = options.sites === true ? [] : undefined
  }

  get length(): number {
    return this.#length
  }

  get complete(): boolean {
    return this.#complete
  }

  /** `code` from `operationCode`; `number` counts this sender's messages to `dest`. */
  send(
    code: number,
    flags: number,
    dest: number,
    number: number,
    context: number,
    tag: number,
    site = -1,
  ): number {
    return this.#add(TraceKind.send, flags, code, dest, number, context, site, tag)
  }

  /** A receive is posted; what it matches is told by `matched`, now or later. */
  receive(code: number, flags: number, context: number, tag: number, site = -1): number {
    return this.#add(TraceKind.receive, flags, code, -1, -1, context, site, tag)
  }

  /** A blocking probe returned, or an iprobe said yes (flag `choice`): message `number` of `source`. */
  probe(
    code: number,
    flags: number,
    source: number,
    number: number,
    context: number,
    tag: number,
    site = -1,
  ): number {
    return this.#add(
      TraceKind.probe,
      flags | TraceFlag.blocking,
      code,
      source,
      number,
      context,
      site,
      tag,
    )
  }

  /** `nth` counts the collectives of this context; `root` is a rank of the world, or -1. */
  collective(
    code: number,
    flags: number,
    root: number,
    context: number,
    nth: number,
    members: number,
    site = -1,
  ): number {
    return this.#add(TraceKind.collective, flags, code, root, context, nth, site, members)
  }

  /** A collective that only some ranks of a communicator took part in is known by what came of it. */
  metIn(index: number, context: number): void {
    if (index >= 0) this.#words[index * TRACE_WORDS + 2] = context
  }

  /** A call returned because the operation posted at `post` was complete. */
  wait(code: number, flags: number, post: number, site = -1): number {
    if (post < 0) return -1
    return this.#add(TraceKind.wait, flags | TraceFlag.blocking, code, post, 0, 0, site, 0)
  }

  /** The receive at `index` took message `number` of `source`. */
  matched(index: number, source: number, number: number): void {
    if (index < 0) return
    this.#words[index * TRACE_WORDS + 1] = source
    this.#words[index * TRACE_WORDS + 2] = number
  }

  /** The trace so far, in words of its own. */
  finish(rank: number, sites = this.#numberSites()): RankTrace {
    const trace: RankTrace = {
      rank,
      length: this.#length,
      words: Int32Array.from(this.#words),
      complete: this.#complete,
    }
    if (sites) trace.sites = sites
    return trace
  }

  #add(
    kind: number,
    flags: number,
    code: number,
    a: number,
    b: number,
    c: number,
    site: number,
    d: number,
  ): number {
    const index = this.#length
    if (index === this.limit) {
      this.#complete = false
      return -1
    }
    this.#words.push(kind | (flags << 8) | (code << 16), a, b, c, site, d)
    if (this.#stacks !== undefined) this.#stacks[index] = captureDeepStack()
    this.#length = index + 1
    return index
  }

  /** Formats the stacks and numbers them, equal ones alike. */
  #numberSites(): readonly string[] | undefined {
    if (this.#stacks === undefined) return undefined
    const numbers = new Map<string, number>()
    this.#stacks.forEach(({ stack = '' }, index) => {
      const number = numbers.get(stack) ?? numbers.size
      numbers.set(stack, number)
      this.#words[index * TRACE_WORDS + 4] = number
    })
    return [...numbers.keys()]
  }
}
