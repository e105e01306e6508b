import { hcaAddress, wakeOwner, type WorldMemory } from '@commworld/transport'
import { ArrivalOrder } from '../virtual/arrival-order.js'
import { PAYLOAD } from '../virtual/flights.js'
import type { VirtualReceiver } from '../virtual/virtual-kernel.js'
import type { VirtualWorld } from '../virtual/virtual-world.js'
import {
  ASKS,
  type ClockBoard,
  COMMAND_NUMBERS,
  GO,
  OVER,
  POLLING,
  SETTLED,
  TAKE,
} from './clock-board.js'
import * as Command from './commands.js'

/** Looks at the board before the clock's thread sleeps: most turns are short. */
const SPINS = 400

/** A rank on a thread of its own, as the clock's thread sees it: gives it turns and does what it asks for. */
export class RemoteRank implements VirtualReceiver {
  readonly #rank: number
  readonly #board: ClockBoard
  readonly #world: VirtualWorld
  readonly #i32: Int32Array
  readonly #doorbell: number
  /** By sender. */
  readonly #orders = new Map<number, ArrivalOrder>()
  /** Called when its program can go on. */
  onReady: () => void = () => {}
  /** Called when another rank may find what it waits for in the world's memory. */
  onWake: (rank: number) => void = () => {}
  polling = false
  over = false
  #underWay = 0

  constructor(rank: number, board: ClockBoard, memory: WorldMemory, world: VirtualWorld) {
    this.#rank = rank
    this.#board = board
    this.#world = world
    this.#i32 = memory.i32
    this.#doorbell = hcaAddress(memory.i32, rank)
  }

  get unexpectedMax(): number {
    return this.#board.unexpectedMax(this.#rank)
  }

  admits(flight: number): boolean {
    const { from, token } = this.#world.kernel.flights
    const source = from[flight]!
    let order = this.#orders.get(source)
    if (order === undefined) {
      order = new ArrivalOrder()
      this.#orders.set(source, order)
    }
    return order.admits(token[flight]!, flight)
  }

  heldBehind(flight: number): number {
    return this.#orders.get(this.#world.kernel.flights.from[flight]!)!.next()
  }

  take(flight: number): void {
    if (this.#board.isGone(this.#rank)) return this.#drop(flight)
    const { mail } = this.#board
    const { flights } = this.#world.kernel
    mail[0] = flight
    mail[1] = flights.state[flight]!
    mail[2] = flights.from[flight]!
    mail[3] = flights.bytes[flight]!
    mail[4] = flights.slot[flight]!
    mail[5] = flights.token[flight]!
    mail[6] = flights.operation[flight]!
    mail[7] = flights.local[flight]!
    mail[8] = flights.remote[flight]!
    mail[9] = flights.receive[flight]!
    if (this.#give(TAKE) === SETTLED || this.polling) this.onReady()
  }

  landed(): void {
    this.#board.addLanded(this.#rank)
    if (--this.#underWay === 0 && this.#board.leaves(this.#rank)) this.onReady()
  }

  /** Has its program go on until it waits. */
  goOn(): void {
    this.polling = false
    const reply = this.#give(GO)
    this.polling = reply === POLLING
    if (reply === OVER) this.over = true
  }

  /** @returns how it gave the turn back, after its commands have been carried out */
  #give(turn: number): number {
    for (let next = turn; ; next = GO) {
      this.#board.give(this.#rank, next)
      wakeOwner(this.#i32, this.#doorbell)
      this.#awaitTurn()
      if (this.#board.isGone(this.#rank)) this.over = true
      this.#carryOut()
      const { reply } = this.#board
      if (reply !== ASKS) return reply
      this.#board.seconds = this.#world.kernel.secondsOf(this.#rank)
    }
  }

  #awaitTurn(): void {
    const board = this.#board
    for (let look = 0; look < SPINS; look++) if (board.isBack) return
    for (;;) {
      const { rings } = board
      if (board.isBack) return
      board.sleepUntilRung(rings)
    }
  }

  #carryOut(): void {
    const { commands, commandCount } = this.#board
    for (let command = 0; command < commandCount; command++) {
      const at = command * COMMAND_NUMBERS
      const [what, a, b, c, d] = commands.subarray(at, at + 5) as unknown as number[]
      this.#obey(what!, a!, b!, c!, d!, at)
    }
  }

  #obey(what: number, a: number, b: number, c: number, d: number, at: number): void {
    const { kernel, ends } = this.#world
    const rank = this.#rank
    switch (what) {
      case Command.SEND:
        this.#underWay++
        return this.#complete(kernel.send(a as 0 | 1, rank, b, c), at)
      case Command.FETCH:
        return this.#complete(kernel.fetch(rank, b, c), at)
      case Command.FINISH:
        this.#underWay++
        return this.#complete(kernel.finish(rank, b), at)
      case Command.TURN_TO:
        return kernel.turnTo(rank, a, b === 1)
      case Command.LANDED:
        return kernel.landed(a)
      case Command.RELEASE:
        return kernel.release(a)
      case Command.COMPUTE:
        return kernel.compute(rank, a)
      case Command.RETURNED:
        return ends.returned(rank)
      case Command.WAKE:
        return this.onWake(a)
      case Command.GOAL_SEND:
        kernel.goal!.send(rank, a, b, c)
        return
      case Command.GOAL_RECEIVE:
        kernel.goal!.receive(rank, a, b, c, d === 1)
        return
      case Command.GOAL_ENDED:
        return kernel.goal!.ended(rank, a)
    }
  }

  /** What the rank says of a flight besides. */
  #complete(flight: number, at: number): void {
    const { commands } = this.#board
    const { flights } = this.#world.kernel
    flights.slot[flight] = commands[at + 4]!
    flights.token[flight] = commands[at + 5]!
    flights.operation[flight] = commands[at + 6]!
    flights.local[flight] = commands[at + 7]!
    flights.remote[flight] = commands[at + 8]!
    flights.receive[flight] = commands[at + 9]!
  }

  /** Its thread has gone; who sent this must not wait for it. */
  #drop(flight: number): void {
    const { kernel } = this.#world
    if (kernel.flights.state[flight] !== PAYLOAD) kernel.landed(flight)
    kernel.release(flight)
  }
}
