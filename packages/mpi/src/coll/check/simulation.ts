import type { Algorithm } from '../plan/algorithm.js'
import { BUFFER_NAMES, HIGHER, IN, LOWER, OUT, SHARED, SLOT } from '../plan/buffer.js'
import { OP_WORDS, Op } from '../plan/schedule.js'
import { describeValue, fold, type AbstractValue } from './abstract-value.js'
import { AccessOrder, ORDERED_RANKS_MAX } from './access-order.js'
import { SimulatedRank } from './simulated-rank.js'
import { Specification } from './specification.js'
import { Broken, type Violation } from './violation.js'

/** What a run is checked for. */
export interface Case {
  readonly size: number
  readonly root: number
  readonly blocks: number
  readonly radix: number
  readonly slots: boolean
  readonly inPlace: boolean
  /** Which rank runs the operations of `once`. */
  readonly runner: number
}

/** Something that was moved, for a drawing. */
export interface Movement {
  readonly kind: 'message' | 'signal' | 'get' | 'put' | 'local'
  /** Of the receiver, or of whoever moves it. */
  readonly round: number
  readonly from: number
  readonly to: number
  readonly fromBuffer: number
  readonly fromBlock: number
  readonly toBuffer: number
  readonly toBlock: number
  readonly count: number
  readonly folds: boolean
  /** Of the first block: before what came in, and after. */
  readonly value: AbstractValue | undefined
}

/** A rank that cannot go on. */
export interface Stuck {
  readonly rank: number
  /** Who it waits for, -1 when nobody in particular. */
  readonly peer: number
  /** The round it stands in, -1 when it has begun all that it does. */
  readonly round: number
  readonly words: string
  /** Which block of its own keeps it from going on, if one does. */
  readonly why: string
}

/** Hears what a run does. */
export interface Observer {
  moved(movement: Movement): void
  stuck(ranks: readonly Stuck[]): void
  /** What blocks were found to hold, and what they should. */
  wrong(rank: number, block: number, seen: AbstractValue | undefined, wanted: AbstractValue): void
}

interface Post {
  readonly rank: SimulatedRank
  readonly buffer: number
  readonly index: number
  readonly count: number
  /** Of a receive that folds the side of what comes in, else -1. */
  readonly side: number
  readonly clock: Int32Array | undefined
  readonly depth: number
  /** -1 when nobody asks. */
  readonly round: number
}

/** Messages between one ordered pair of ranks: either sends or receives wait, never both. */
interface Channel {
  readonly sends: Post[]
  readonly receives: Post[]
}

/**
 * Runs all ranks of an algorithm on abstract values, with no buffering at all: a send is complete when
 * its receive is there. Collectives use no wildcards, so if this run ends every run does (Siegel and
 * Avrunin, PPoPP 2005), and all give the same.
 */
export class Simulation {
  readonly #algorithm: Algorithm
  readonly #case: Case
  readonly #specification: Specification
  readonly #ranks: SimulatedRank[]
  readonly #channels = new Map<number, Channel>()
  readonly #order: AccessOrder | undefined
  /** By rank and stage: what publishing carries. */
  readonly #published = new Map<string, Int32Array | undefined>()
  readonly #onceDone = new Map<number, Int32Array | undefined>()
  readonly #shared: (AbstractValue | undefined)[] = []
  readonly #observer: Observer | undefined

  constructor(algorithm: Algorithm, run: Case, observer?: Observer) {
    this.#observer = observer
    this.#algorithm = algorithm
    this.#case = run
    const env = (rank: number) => ({ ...run, rank })
    this.#specification = new Specification(algorithm, env(0))
    this.#ranks = Array.from(
      { length: run.size },
      (_, rank) => new SimulatedRank(algorithm, env(rank), this.#specification, run.inPlace),
    )
    const ordered = run.size <= ORDERED_RANKS_MAX || algorithm.collective === 'barrier'
    this.#order = ordered ? new AccessOrder(run.size) : undefined
  }

  /** @returns the first rule that is broken */
  run(): Violation | undefined {
    try {
      this.#runAll()
      this.#checkLeftovers()
      this.#checkResults()
      this.#checkReturns()
      this.#checkMeeting()
      this.#checkCost()
      return undefined
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      const { size, root, blocks, radix, slots, inPlace } = this.#case
      const { kind, rank, message: text } = error
      return { kind, rank, text, size, root, blocks, radix, slots, inPlace }
    }
  }

  #runAll(): void {
    let moved = true
    while (moved) {
      moved = false
      for (const rank of this.#ranks) if (this.#go(rank)) moved = true
    }
    const stuck = this.#ranks.filter((rank) => !rank.done || rank.open > 0)
    if (stuck.length === 0) return
    this.#observer?.stuck(stuck.map((rank) => this.#stuckOf(rank)))
    const words = stuck.slice(0, 4).map((rank) => this.#stuckOf(rank).words)
    const more = stuck.length > 4 ? `, and ${stuck.length - 4} more` : ''
    throw new Broken('deadlock', stuck[0]!.rank, `${words.join('; ')}${more}`)
  }

  /** Runs a rank until it must wait. @returns whether it did anything */
  #go(rank: SimulatedRank): boolean {
    let moved = false
    while (rank.next < rank.page.length || rank.turnPage()) {
      if (!this.#step(rank)) return moved
      moved = true
    }
    return moved
  }

  /** @returns whether the next operation could be begun */
  #step(rank: SimulatedRank): boolean {
    const { words } = rank.page
    const at = rank.next * OP_WORDS
    const op = words[at]!
    const peer = words[at + 1]!
    const buffer = words[at + 2]!
    const index = words[at + 3]!
    const to = words[at + 4]!
    const toIndex = words[at + 5]!
    const count = words[at + 6]!
    const side = words[at + 7]!
    // What follows a wait for a signal comes after it; several signals are waited for together.
    if (op !== Op.await) {
      if (rank.awaited > 0) return false
      rank.begunAt = rank.signalled
    }
    switch (op) {
      case Op.send:
        if (isBusy(rank, buffer, index, count, false)) return false
        rank.blocksSent += count
        this.#post(rank, peer, true, buffer, index, count, -1)
        break
      case Op.receive:
      case Op.receiveReduce:
        if (isBusy(rank, buffer, index, count, true)) return false
        this.#post(rank, peer, false, buffer, index, count, op === Op.receive ? -1 : side)
        break
      case Op.signal:
      case Op.await:
        this.#post(rank, peer, op === Op.signal, -1, 0, 0, -1)
        break
      case Op.copy:
      case Op.reduce:
        if (isBusy(rank, buffer, index, count, false)) return false
        if (isBusy(rank, to, toIndex, count, true)) return false
        this.#move(rank, rank, buffer, index, rank, to, toIndex, count, op === Op.copy ? -1 : side)
        break
      case Op.get:
      case Op.getReduce:
        this.#checkReach(rank, peer, buffer)
        if (isBusy(rank, to, toIndex, count, true)) return false
        rank.blocksSent += count
        this.#move(
          rank,
          this.#ranks[peer]!,
          buffer,
          index,
          rank,
          to,
          toIndex,
          count,
          op === Op.get ? -1 : side,
        )
        break
      case Op.put:
        this.#checkReach(rank, peer, to)
        if (isBusy(rank, buffer, index, count, false)) return false
        rank.blocksSent += count
        this.#move(rank, rank, buffer, index, this.#ranks[peer]!, to, toIndex, count, -1)
        break
      case Op.publish:
        if (rank.open > 0) return false
        this.#published.set(`${rank.rank} ${count}`, this.#order?.snapshot(rank.rank))
        break
      case Op.awaitPublished: {
        const key = `${peer} ${count}`
        if (!this.#published.has(key)) return false
        this.#learn(rank, this.#published.get(key))
        break
      }
      case Op.once:
        if (!this.#enterOnce(rank, count, side)) return false
        break
      case Op.endOnce:
        if (rank.rank === this.#case.runner)
          this.#onceDone.set(count, this.#order?.snapshot(rank.rank))
        break
      case Op.fence:
        if (rank.open > 0) return false
        break
    }
    rank.next++
    return true
  }

  #enterOnce(rank: SimulatedRank, stage: number, operations: number): boolean {
    if (rank.rank !== this.#case.runner) {
      if (!this.#onceDone.has(stage)) return false
      this.#learn(rank, this.#onceDone.get(stage))
      rank.next += operations
      return true
    }
    for (const { rank: other } of this.#ranks) {
      const key = `${other} ${stage}`
      if (!this.#published.has(key)) return false
      this.#learn(rank, this.#published.get(key))
    }
    return true
  }

  #learn({ rank }: SimulatedRank, clock: Int32Array | undefined): void {
    if (clock !== undefined) this.#order?.join(rank, clock)
  }

  #post(
    rank: SimulatedRank,
    peer: number,
    sends: boolean,
    buffer: number,
    index: number,
    count: number,
    side: number,
  ): void {
    if (peer < 0 || peer >= this.#case.size || !Number.isInteger(peer)) {
      throw new Broken(
        'out of range',
        rank.rank,
        `rank ${rank.rank} names rank ${peer} of ${this.#case.size}`,
      )
    }
    if (sends) for (let i = 0; i < count; i++) this.#load(rank, rank, buffer, index + i)
    occupy(rank, buffer, index, count, sends ? 1 : -1)
    rank.open++
    if (!sends && buffer < 0) rank.awaited++
    const clock = this.#order?.snapshot(rank.rank)
    let depth = rank.begunAt
    if (sends)
      for (let i = 0; i < count; i++) depth = Math.max(depth, rank.depths[buffer]![index + i]!)
    const round = this.#observer === undefined ? -1 : rank.round
    const post: Post = { rank, buffer, index, count, side, clock, depth, round }
    const channel = this.#channel(sends ? rank.rank : peer, sends ? peer : rank.rank)
    const others = sends ? channel.receives : channel.sends
    const other = others.shift()
    if (other === undefined) (sends ? channel.sends : channel.receives).push(post)
    else if (sends) this.#deliver(post, other)
    else this.#deliver(other, post)
  }

  #deliver(send: Post, receive: Post): void {
    this.#checkLengths(send, receive)
    release(send.rank, send.buffer, send.index, send.count, 1)
    release(receive.rank, receive.buffer, receive.index, receive.count, -1)
    send.rank.open--
    receive.rank.open--
    if (receive.buffer < 0) receive.rank.awaited--
    const depth = Math.max(send.depth, receive.depth) + 1
    if (receive.buffer < 0) receive.rank.signalled = Math.max(receive.rank.signalled, depth)
    this.#learn(receive.rank, send.clock)
    this.#observer?.moved({
      kind: send.buffer < 0 ? 'signal' : 'message',
      round: receive.round,
      from: send.rank.rank,
      to: receive.rank.rank,
      fromBuffer: send.buffer,
      fromBlock: send.index,
      toBuffer: receive.buffer,
      toBlock: receive.index,
      count: receive.count,
      folds: receive.side >= 0,
      value: send.buffer < 0 ? undefined : send.rank.peek(send.buffer, send.index),
    })
    for (let i = 0; i < receive.count; i++) {
      deepen(receive.rank, receive.buffer, receive.index + i, depth, receive.side >= 0)
      const value = send.rank.read(send.buffer, send.index + i)
      this.#store(
        receive.rank,
        receive.rank,
        receive.buffer,
        receive.index + i,
        value,
        receive.side,
      )
    }
  }

  #checkLengths(send: Post, receive: Post): void {
    const words = `rank ${send.rank.rank} sends to rank ${receive.rank.rank}`
    if (send.count !== receive.count) {
      const seen = `${send.count} blocks where ${receive.count} are received`
      throw new Broken('lengths differ', receive.rank.rank, `${words} ${seen}`)
    }
    if (this.#algorithm.needs.equalBlocks) return
    for (let i = 0; i < send.count; i++) {
      const sent = this.#lengthOf(send.rank, send.buffer, send.index + i)
      const received = this.#lengthOf(receive.rank, receive.buffer, receive.index + i)
      if (sent === received) continue
      const seen = `a block as long as block ${sent} into one as long as block ${received}`
      throw new Broken('lengths differ', receive.rank.rank, `${words} ${seen}`)
    }
  }

  /** Of a peer only what it publishes can be reached: its slot, or its input and output. */
  #checkReach({ rank }: SimulatedRank, peer: number, buffer: number): void {
    if (peer === rank || buffer === SHARED) return
    const { slots } = this.#case
    if (slots ? buffer === SLOT : buffer === IN || buffer === OUT) return
    const text = `rank ${rank} reaches for the ${BUFFER_NAMES[buffer]} of rank ${peer} ${slots ? 'with' : 'without'} slots`
    throw new Broken('out of reach', rank, text)
  }

  #checkMove(
    source: SimulatedRank,
    from: number,
    index: number,
    target: SimulatedRank,
    to: number,
    toIndex: number,
  ): void {
    if (this.#algorithm.needs.equalBlocks) return
    const taken = this.#lengthOf(source, from, index)
    const room = this.#lengthOf(target, to, toIndex)
    if (taken === room) return
    const whose = (owner: SimulatedRank): string => `of rank ${owner.rank}`
    const text = `block ${index} of ${BUFFER_NAMES[from]} ${whose(source)}, as long as block ${taken}, is moved to block ${toIndex} of ${BUFFER_NAMES[to]} ${whose(target)}, as long as block ${room}`
    throw new Broken('lengths differ', target.rank, text)
  }

  #lengthOf({ rank, schedule }: SimulatedRank, buffer: number, block: number): number {
    return this.#specification.lengthOf(buffer, rank, block, schedule.scratch)
  }

  /** `by` moves or folds blocks between its own buffers, or to or from those of a peer. */
  #move(
    by: SimulatedRank,
    source: SimulatedRank,
    from: number,
    index: number,
    target: SimulatedRank,
    to: number,
    toIndex: number,
    count: number,
    side: number,
  ): void {
    const kind = by !== source ? 'get' : by !== target ? 'put' : 'local'
    this.#observer?.moved({
      kind,
      round: by.round,
      from: source.rank,
      to: target.rank,
      fromBuffer: from,
      fromBlock: index,
      toBuffer: to,
      toBlock: toIndex,
      count,
      folds: side >= 0,
      value: from === SHARED ? undefined : source.peek(from, index),
    })
    for (let i = 0; i < count; i++) {
      this.#checkMove(source, from, index + i, target, to, toIndex + i)
      const value = this.#load(by, source, from, index + i)
      if (by === source && by === target && from !== SHARED && to !== SHARED) {
        deepen(by, to, toIndex + i, by.depths[from]![index + i]!, side >= 0)
      }
      this.#store(by, target, to, toIndex + i, value, side)
    }
  }

  #load(by: SimulatedRank, owner: SimulatedRank, buffer: number, block: number): AbstractValue {
    const holder = buffer === SHARED ? -1 : owner.rank
    const before =
      this.#order?.read(by.rank, holder, owner.bufferOf(buffer), owner.blockIn(buffer, block)) ?? -1
    if (before >= 0) throw this.#race(by, 'reads', owner, buffer, block, before)
    if (buffer !== SHARED) return owner.read(buffer, block)
    const value = this.#shared[block]
    if (value === undefined) {
      throw new Broken(
        'nothing there',
        by.rank,
        `rank ${by.rank} reads block ${block} of shared too early`,
      )
    }
    return value
  }

  #store(
    by: SimulatedRank,
    owner: SimulatedRank,
    buffer: number,
    block: number,
    value: AbstractValue,
    side: number,
  ): void {
    const holder = buffer === SHARED ? -1 : owner.rank
    let result = value
    if (side === LOWER) result = fold(value, this.#load(by, owner, buffer, block))
    else if (side === HIGHER) result = fold(this.#load(by, owner, buffer, block), value)
    const before =
      this.#order?.write(by.rank, holder, owner.bufferOf(buffer), owner.blockIn(buffer, block)) ??
      -1
    if (before >= 0) throw this.#race(by, 'writes', owner, buffer, block, before)
    if (buffer === SHARED) this.#shared[block] = result
    else owner.write(buffer, block, result)
  }

  #race(
    by: SimulatedRank,
    does: string,
    owner: SimulatedRank,
    buffer: number,
    block: number,
    other: number,
  ): Broken {
    const whose = buffer === SHARED ? 'the shared room' : `rank ${owner.rank}'s buffer ${buffer}`
    const text = `rank ${by.rank} ${does} block ${block} of ${whose} while rank ${other} may still use it`
    return new Broken('race', by.rank, text)
  }

  #channel(from: number, to: number): Channel {
    const key = from * this.#case.size + to
    let channel = this.#channels.get(key)
    if (channel === undefined) this.#channels.set(key, (channel = { sends: [], receives: [] }))
    return channel
  }

  #checkLeftovers(): void {
    for (const [key, { sends, receives }] of this.#channels) {
      if (sends.length + receives.length === 0) continue
      const from = Math.floor(key / this.#case.size)
      const to = key % this.#case.size
      const what =
        sends.length > 0 ? 'sends a message that is not received' : 'is waited for in vain'
      throw new Broken('message left', from, `rank ${from} ${what} by rank ${to}`)
    }
  }

  #checkResults(): void {
    const { collective } = this.#algorithm
    const trees: (AbstractValue | undefined)[] = []
    for (const rank of this.#ranks) {
      for (let block = 0; block < rank.blocksOf(OUT); block++) {
        const wanted = this.#specification.final(rank.rank, block)
        const seen = rank.value(OUT, block)
        if (wanted === undefined) {
          const untouched = this.#case.inPlace && collective === 'exscan'
          if (seen === undefined || untouched) continue
          const text = `rank ${rank.rank} writes block ${block} of its output, which must be left alone`
          throw new Broken('wrong result', rank.rank, text)
        }
        if (!this.#specification.meets(seen, wanted)) {
          this.#observer?.wrong(rank.rank, block, seen, wanted)
          const text = `block ${block} of rank ${rank.rank}'s output holds ${describeValue(seen)} instead of ${describeValue(wanted)}`
          throw new Broken('wrong result', rank.rank, text)
        }
        if (collective !== 'allreduce') continue
        const first = (trees[block] ??= seen)
        if (first!.tree !== seen!.tree) {
          const text = `ranks 0 and ${rank.rank} fold block ${block} by different trees, so their floating-point results may differ`
          throw new Broken('different trees', rank.rank, text)
        }
      }
    }
  }

  /** A rank that has returned may use its buffers again: nobody may touch them after that. */
  #checkReturns(): void {
    if (this.#order === undefined) return
    for (const rank of this.#ranks) {
      for (const buffer of [IN, OUT]) {
        for (let block = 0; block < rank.blocksOf(buffer); block++) {
          const other = this.#order.touchedAfterReturn(
            rank.rank,
            rank.bufferOf(buffer),
            rank.blockIn(buffer, block),
          )
          if (other < 0) continue
          const text = `rank ${rank.rank} may return while rank ${other} still uses block ${block} of its ${buffer === IN ? 'input' : 'output'}`
          throw new Broken('race', rank.rank, text)
        }
      }
    }
  }

  /** Nobody leaves a barrier before having heard, directly or not, from all. */
  #checkMeeting(): void {
    if (this.#algorithm.collective !== 'barrier') return
    for (const { rank } of this.#ranks) {
      const missing = this.#order!.unheardOf(rank)
      if (missing < 0) continue
      const text = `rank ${rank} may leave the barrier before rank ${missing} has come`
      throw new Broken('too early', rank, text)
    }
  }

  #checkCost(): void {
    const { size, blocks } = this.#case
    const env = { ...this.#case, rank: 0 }
    const rounds = this.#algorithm.rounds(env)
    const deepest = Math.max(...this.#ranks.map((rank) => rank.deepest))
    if (deepest > rounds) {
      const text = `the longest chain has ${deepest} messages, but ${rounds} rounds are declared (${size} ranks, ${blocks} blocks)`
      throw new Broken('rounds', undefined, text)
    }
    const declared = this.#algorithm.volume(env)
    const most = Math.max(...this.#ranks.map(({ blocksSent }) => blocksSent))
    if (most !== declared) {
      const text = `the busiest rank moves ${most} blocks, but ${declared} are declared (${size} ranks, ${blocks} blocks)`
      throw new Broken('volume', undefined, text)
    }
  }

  #stuckOf(rank: SimulatedRank): Stuck {
    if (rank.done) {
      const words = `rank ${rank.rank} waits for its messages to be taken`
      return { rank: rank.rank, peer: this.#peerOfOpen(rank), round: -1, words, why: '' }
    }
    const at = rank.next * OP_WORDS
    const op = rank.page.words[at]!
    const peer = rank.page.words[at + 1]!
    const name = Object.keys(Op)[op]!
    const why = whyBusy(rank, op, rank.page.words, at)
    const words = `rank ${rank.rank} stands at ${name}${peer >= 0 ? ` with rank ${peer}` : ''}`
    // What hinders it is what is under way, if anything is; else whom the operation names.
    const open = op === Op.awaitPublished ? peer : this.#peerOfOpen(rank)
    return { rank: rank.rank, peer: open >= 0 ? open : peer, round: rank.round, words, why }
  }

  /** A rank that has not answered a message of this one, or not sent one that it waits for. */
  #peerOfOpen({ rank }: SimulatedRank): number {
    const { size } = this.#case
    for (const [key, { sends, receives }] of this.#channels) {
      const from = Math.floor(key / size)
      const to = key % size
      if (sends.length > 0 && from === rank) return to
      if (receives.length > 0 && to === rank) return from
    }
    return -1
  }
}

/** Which block of its own keeps a rank from going on, in words; empty when none does. */
function whyBusy(rank: SimulatedRank, op: number, words: Int32Array, at: number): string {
  const count = words[at + 6]!
  const states = (buffer: number, index: number, writes: boolean): string => {
    for (let block = index; block < index + count; block++) {
      if (!isBusy(rank, buffer, block, 1, writes)) continue
      const doing = rank.busy[buffer]![block]! < 0 ? 'received' : 'sent'
      return `block ${block} of ${BUFFER_NAMES[buffer]} is still being ${doing}`
    }
    return ''
  }
  if (op === Op.send || op === Op.put) return states(words[at + 2]!, words[at + 3]!, false)
  if (op === Op.receive || op === Op.receiveReduce)
    return states(words[at + 2]!, words[at + 3]!, true)
  if (op === Op.get || op === Op.getReduce) return states(words[at + 4]!, words[at + 5]!, true)
  if (op !== Op.copy && op !== Op.reduce) return ''
  const from = states(words[at + 2]!, words[at + 3]!, false)
  return from === '' ? states(words[at + 4]!, words[at + 5]!, true) : from
}

/** Whether operations under way forbid to read (or write) these blocks. */
function isBusy(
  rank: SimulatedRank,
  buffer: number,
  index: number,
  count: number,
  writes: boolean,
): boolean {
  if (rank.open === 0 || buffer < 0 || buffer === SHARED) return false
  const busy = rank.busy[buffer]!
  for (let i = index; i < index + count; i++) {
    if (busy[i]! < 0 || (writes && busy[i]! > 0)) return true
  }
  return false
}

function deepen(
  rank: SimulatedRank,
  buffer: number,
  block: number,
  depth: number,
  folds: boolean,
): void {
  const depths = rank.depths[buffer]!
  depths[block] = folds ? Math.max(depths[block]!, depth) : depth
}

function occupy(
  rank: SimulatedRank,
  buffer: number,
  index: number,
  count: number,
  how: number,
): void {
  if (buffer < 0) return
  const busy = rank.busy[buffer]!
  for (let i = index; i < index + count; i++) busy[i]! += how
}

function release(
  rank: SimulatedRank,
  buffer: number,
  index: number,
  count: number,
  how: number,
): void {
  occupy(rank, buffer, index, count, -how)
}
