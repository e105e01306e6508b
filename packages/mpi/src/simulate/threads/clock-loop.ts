import type { WorldMemory } from '@commworld/transport'
import { type ClockCosts, clockCosts } from '../virtual/virtual-clock.js'
import type { VirtualWorld } from '../virtual/virtual-world.js'
import type { ClockBoard } from './clock-board.js'
import { RemoteRank } from './remote-rank.js'

/** Looks at the clock of the machine once in so many steps. */
const STEPS_PER_LOOK = 256

/**
 * Runs ranks on threads in virtual time, one at a time: all programs that can go on, in the order in which they
 * came to it, then all events of the next time. It is the loop of virtual-scheduler.ts across threads, so that
 * a program takes the same time on both.
 */
export class ClockLoop {
  readonly #board: ClockBoard
  readonly #world: VirtualWorld
  readonly #ranks: RemoteRank[]
  readonly #ready = new Set<number>()
  readonly #onTurn: (nowPs: number) => void
  /** Ranks that have not ended. */
  #open: number

  constructor(
    board: ClockBoard,
    memory: WorldMemory,
    world: VirtualWorld,
    onTurn: (nowPs: number) => void,
  ) {
    this.#board = board
    this.#world = world
    this.#onTurn = onTurn
    this.#open = board.ranks
    this.#ranks = Array.from({ length: board.ranks }, (_, rank) => {
      const remote = new RemoteRank(rank, board, memory, world)
      remote.onReady = () => this.#ready.add(rank)
      remote.onWake = (other) => this.#ready.add(other)
      world.kernel.add(remote)
      return remote
    })
    const { hostOf, model } = world.kernel
    const costs: ClockCosts = clockCosts(model)
    board.open({ hostOf, eagerLimitBytes: world.eagerLimitBytes, ...costs })
  }

  /** The ranks, for what is told at the end. */
  get endpoints(): readonly { readonly unexpectedMax: number }[] {
    return this.#ranks
  }

  /** Returns when all ranks have ended. */
  run(): void {
    const { kernel } = this.#world
    const { queue } = kernel
    for (let rank = 0; rank < this.#ranks.length; rank++) this.#ready.add(rank)
    for (let steps = 0; ; steps++) {
      this.#letReadyGoOn()
      if (this.#open === 0) return
      if (queue.size > 0) kernel.step()
      else if (!this.#someGoOn()) this.#sleep()
      if (steps % STEPS_PER_LOOK === 0) this.#onTurn(queue.now)
      this.#listen()
    }
  }

  #letReadyGoOn(): void {
    // Who becomes ready meanwhile goes on at the same time, too.
    for (const rank of this.#ready) {
      this.#ready.delete(rank)
      const remote = this.#ranks[rank]!
      if (remote.over) continue
      remote.goOn()
      if (remote.over) this.#open--
    }
  }

  /** Nothing comes any more: whoever polls is told so by polling. @returns whether anybody does */
  #someGoOn(): boolean {
    this.#ranks.forEach(({ polling, over }, rank) => {
      if (polling && !over) this.#ready.add(rank)
    })
    return this.#ready.size > 0
  }

  /** Ranks that came back from timers and files on their own account. */
  #listen(): void {
    if (!this.#board.wanted) return
    for (let rank = 0; rank < this.#ranks.length; rank++) {
      if (this.#board.tookWant(rank)) this.#ready.add(rank)
    }
  }

  #sleep(): void {
    const { rings } = this.#board
    this.#listen()
    if (this.#ready.size > 0) return
    this.#board.idle = true
    this.#board.sleepUntilRung(rings)
    this.#board.idle = false
  }
}
