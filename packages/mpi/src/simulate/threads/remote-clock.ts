import { doorbellCount, sleepOnDoorbell } from '@commworld/transport'
import { GoalRecorder } from '../goal/goal-recorder.js'
import { Flights } from '../virtual/flights.js'
import type { KernelPort } from '../virtual/kernel-port.js'
import type { RankTime } from '../virtual/virtual-clock.js'
import type { VirtualEndpoint } from '../virtual/virtual-endpoint.js'
import { ASKS, type ClockBoard, COMMAND_NUMBERS, COMMANDS_MAX, GO } from './clock-board.js'
import * as Command from './commands.js'
import { Stopwatch } from './stopwatch.js'
import type { ClockShare } from './thread-rank-parts.js'

/** Where a rank's thread sleeps while others have the turn. */
export interface TurnBell {
  readonly i32: Int32Array
  readonly doorbell: number
  /** Called at every wake: reports are due, or the world was aborted. */
  look(): void
}

/**
 * The kernel as a rank sees it that has a thread of its own. What the rank asks for is written down and
 * carried out by the clock's thread when the rank gives its turn back: until then nothing of it matters to
 * anybody else. Its flights have numbers of their own here.
 */
export class RemoteClock implements KernelPort, RankTime {
  readonly flights = new Flights(() => {})
  readonly goal: KernelPort['goal']
  /** What a rank does when it acts without the turn: it came back from outside of the library. */
  acquire: () => void = () => {}
  /** Where it sleeps meanwhile. */
  bell: TurnBell = { i32: new Int32Array(0), doorbell: 0, look: () => {} }
  readonly #rank: number
  readonly #board: ClockBoard
  #endpoint: VirtualEndpoint | undefined
  /** Whether the turn has been seen here: it is not taken twice. */
  #held = false
  #commands = 0
  /** The flight that is being sent, which is written down when all is known of it, and how it goes. */
  #leaving = -1
  #way = 0
  /** Of flights that came: their numbers with the kernel. */
  readonly #numbers: number[] = []
  /** The schedule as the kernel writes it too, for the numbers of its operations. */
  readonly #schedule: GoalRecorder | undefined

  /** Only where measured time counts. */
  readonly #stopwatch: Stopwatch | undefined

  constructor(
    rank: number,
    board: ClockBoard,
    { recordsGoal, computeScale }: Pick<ClockShare, 'recordsGoal' | 'computeScale'>,
  ) {
    this.#rank = rank
    if (computeScale > 0) this.#stopwatch = new Stopwatch(computeScale, (ps) => this.#spend(ps))
    this.#board = board
    this.#schedule = recordsGoal ? new GoalRecorder(board.ranks) : undefined
    this.goal = this.#schedule && this.#mirrored(this.#schedule)
  }

  add(endpoint: unknown): void {
    this.#endpoint = endpoint as VirtualEndpoint
  }

  near(a: number, b: number): boolean {
    const { hostOf } = this.#board
    return hostOf[a] === hostOf[b]
  }

  send(state: number, from: number, to: number, bytes: number): number {
    return this.#depart(Command.SEND, state, from, to, bytes)
  }

  fetch(rank: number, source: number, bytes: number): number {
    return this.#depart(Command.FETCH, 0, rank, source, bytes)
  }

  finish(from: number, to: number): number {
    return this.#depart(Command.FINISH, 0, from, to, 0)
  }

  turnTo(_rank: number, flight: number, overhead: boolean): void {
    this.#write(Command.TURN_TO, this.#numbers[flight]!, overhead ? 1 : 0)
  }

  landed(flight: number): void {
    this.#write(Command.LANDED, this.#numbers[flight]!)
  }

  release(flight: number): void {
    this.#write(Command.RELEASE, this.#numbers[flight]!)
    this.flights.remove(flight)
  }

  compute(_rank: number, ps: number): void {
    this.#stopwatch?.lap()
    this.#spend(ps)
  }

  #spend(ps: number): void {
    this.#write(Command.COMPUTE, ps)
    this.#schedule?.calc(this.#rank, ps)
  }

  /** The program has returned. */
  returned(): void {
    this.#stopwatch?.lap()
    this.#write(Command.RETURNED)
  }

  secondsOf(): number {
    if (!this.#held) this.acquire()
    this.#stopwatch?.lap()
    this.#ask()
    return this.#board.seconds
  }

  /** Another rank may wait for what this one has written into the world's memory. */
  wake(rank: number): void {
    if (!this.#held) this.acquire()
    if (this.#board.watches(rank)) this.#write(Command.WAKE, rank)
  }

  get held(): boolean {
    return this.#held
  }

  /** The turn that this rank has been given and has not seen; 0 when there is none. */
  receive(): number {
    if (this.#held || this.#board.holder !== this.#rank) return 0
    this.#held = true
    for (let more = this.#board.tookLanded(this.#rank); more > 0; more--) this.#endpoint!.landed()
    const { turn } = this.#board
    if (turn === GO) this.#stopwatch?.start()
    return turn
  }

  /** Blocks until this rank is given the turn. */
  await({ i32, doorbell, look } = this.bell): number {
    for (;;) {
      const count = doorbellCount(i32, doorbell)
      const turn = this.receive()
      if (turn !== 0) return turn
      look()
      sleepOnDoorbell(i32, doorbell, count, Infinity)
    }
  }

  /** This rank came back from outside: asks for a turn, which comes when the clock gets to it. */
  want(): void {
    this.#board.want(this.#rank)
  }

  /** Takes in the flight that came with the turn. */
  take(): void {
    const { flights } = this
    const [number, state, from, bytes, slot, token, operation, local, remote, receive] = this.#board
      .mail as unknown as number[]
    const flight = flights.add(state!, from!, this.#rank, bytes!)
    flights.slot[flight] = slot!
    flights.token[flight] = token!
    flights.operation[flight] = operation!
    flights.local[flight] = local!
    flights.remote[flight] = remote!
    flights.receive[flight] = receive!
    this.#numbers[flight] = number!
    this.#endpoint!.take(flight)
  }

  /** Gives the turn back, and with it all that the rank has asked for. */
  giveBack(reply: number): void {
    this.#stopwatch?.stop()
    this.#writeLeaving()
    const { leaves, watching, unexpectedMax } = this.#endpoint!
    this.#board.tell(this.#rank, { leaves, watches: watching > 0, unexpectedMax })
    const commands = this.#commands
    this.#commands = 0
    this.#held = false
    this.#board.giveBack(reply, commands)
  }

  /** Has the commands carried out and goes on. Nothing else can come meanwhile. */
  #ask(): void {
    this.giveBack(ASKS)
    this.await()
  }

  #depart(way: number, state: number, from: number, to: number, bytes: number): number {
    this.#writeLeaving()
    if (!this.#held) this.acquire()
    this.#stopwatch?.lap()
    const flight = this.flights.add(state, from, to, bytes)
    this.flights.token[flight] = 0
    this.flights.operation[flight] = 0
    this.#leaving = flight
    this.#way = way
    return flight
  }

  #writeLeaving(): void {
    const flight = this.#leaving
    if (flight < 0) return
    this.#leaving = -1
    const { state, to, bytes, slot, token, operation, local, remote, receive } = this.flights
    this.#write(
      this.#way,
      state[flight],
      to[flight],
      bytes[flight],
      slot[flight],
      token[flight],
      operation[flight],
      local[flight],
      remote[flight],
      receive[flight],
    )
    this.flights.remove(flight)
  }

  #write(command: number, ...numbers: (number | undefined)[]): void {
    this.#writeLeaving()
    if (!this.#held) this.acquire()
    if (this.#commands === COMMANDS_MAX) this.#ask()
    const at = this.#commands++ * COMMAND_NUMBERS
    const { commands } = this.#board
    commands[at] = command
    for (let i = 0; i < numbers.length; i++) commands[at + 1 + i] = numbers[i]!
  }

  #mirrored(schedule: GoalRecorder): KernelPort['goal'] {
    return {
      send: (rank, to, bytes, number) => {
        this.#note(Command.GOAL_SEND, to, bytes, number)
        return schedule.send(rank, to, bytes, number)
      },
      receive: (rank, from, bytes, number, ends) => {
        this.#write(Command.GOAL_RECEIVE, from, bytes, number, ends ? 1 : 0)
        return schedule.receive(rank, from, bytes, number, ends)
      },
      ended: (rank, operation) => {
        this.#write(Command.GOAL_ENDED, operation)
        schedule.ended(rank, operation)
      },
    }
  }

  /** Before the flight that it belongs to: that gets the number which this one makes. */
  #note(command: number, ...numbers: number[]): void {
    const leaving = this.#leaving
    this.#leaving = -1
    this.#write(command, ...numbers)
    this.#leaving = leaving
  }
}
