import type { CommunicatorState } from '../comm/communicator-state.js'
import type { Engine } from '../engine/engine.js'
import { ArgumentError } from '../errors/index.js'
import type {
  CartOptions,
  MakingForm,
  Order,
  SplitOptions,
  SplitTypeOptions,
} from '../manage/index.js'
import { PROC_NULL, type Peer } from '../p2p/sentinels.js'
import { Group } from './group.js'
import { MemoryCollectives } from './memory-collectives.js'
import type { Request } from './request.js'

/**
 * A group of ranks that exchange messages which no other communicator sees (MPI 4.1, chapter 7).
 *
 * Data comes first, then one options object that names ranks and tags. Plain verbs return
 * values, `...Into` forms fill memory of yours, i-forms return a `Request` to `wait()` for, `test()` or
 * `await`. What a message is — a value, or memory of one element type — travels with it; a
 * receive that does not fit is an error at the receiver.
 *
 * @example
 * export default function main({ world }: Mpi) {
 *   if (world.rank === 0) world.send({ step: 1 }, { dest: 1, tag: 7 })
 *   if (world.rank === 1) console.log(world.recv({ source: 0 }))
 * }
 */
export class Communicator extends MemoryCollectives {
  readonly #state: CommunicatorState
  readonly #engine: Engine

  /** @internal */
  constructor(state: CommunicatorState, engine: Engine) {
    super(state, engine)
    this.#state = state
    this.#engine = engine
  }

  /** Number of this process here, 0 to `size - 1` (MPI_Comm_rank). */
  get rank(): number {
    return this.#state.rank
  }

  /** Number of processes (MPI_Comm_size). */
  get size(): number {
    return this.#state.size
  }

  /** The processes, without their communication (MPI_Comm_group). */
  get group(): Group {
    return new Group(this.#state.members(), this.#state.worldRank(this.#state.rank))
  }

  /** Used by reports and errors (MPI_Comm_get_name, MPI_Comm_set_name). */
  get name(): string {
    return this.#state.name
  }

  set name(name: string) {
    this.#state.name = name
  }

  // ---- making and ending communicators --------------------------------------------------------

  /**
   * The same ranks once more: messages on the new communicator never meet those on this one. All ranks
   * call it (MPI 4.1, section 7.4.2). A grid stays a grid.
   *
   * @throws NoMemoryError when the world's memory has no room for what its ranks share
   * @example
   * const own = world.dup() // for a library: its messages are nobody else's
   */
  dup(): Communicator {
    return this.#make({ by: 'dup' }, 'blocking').take()
  }

  /** Starts a `dup`, which other operations on this communicator may overlap (MPI 4.1, section 7.4.2). */
  idup(): Request<Communicator> {
    return this.#make({ by: 'dup' }, 'started')
  }

  /**
   * Parts the ranks: those that name one colour make a communicator, numbered by their keys, and by
   * their old ranks where keys are equal (MPI 4.1, section 7.4.2). All ranks call it.
   *
   * @param options.color - an integer from 0, or `UNDEFINED` to be in none
   * @param options.key - any integer; 0 when left out
   * @returns the communicator of this rank's colour, `undefined` with `UNDEFINED`
   * @throws ArgumentError
   * @example
   * const row = world.split({ color: Math.floor(world.rank / columns) })
   */
  split(options: { color: number; key?: number }): Communicator
  split(options: SplitOptions): Communicator | undefined
  split(options: SplitOptions): Communicator | undefined {
    return this.#makePart({ by: 'split', options }, 'blocking').take()
  }

  /** Starts a `split`. */
  isplit(options: { color: number; key?: number }): Request<Communicator>
  isplit(options: SplitOptions): Request<Communicator | undefined>
  isplit(options: SplitOptions): Request<Communicator | undefined> {
    return this.#makePart({ by: 'split', options }, 'started')
  }

  /**
   * Parts the ranks by what they have in common: `shared` is memory, which all ranks of a world share
   * (MPI 4.1, section 7.4.2). All ranks call it.
   *
   * @param options.key - as of `split`
   * @throws ArgumentError
   */
  splitType(options: { type: 'shared'; key?: number }): Communicator
  splitType(options: SplitTypeOptions): Communicator | undefined
  splitType(options: SplitTypeOptions): Communicator | undefined {
    return this.#makePart({ by: 'splitType', options }, 'blocking').take()
  }

  /** Starts a `splitType`. */
  isplitType(options: { type: 'shared'; key?: number }): Request<Communicator>
  isplitType(options: SplitTypeOptions): Request<Communicator | undefined>
  isplitType(options: SplitTypeOptions): Request<Communicator | undefined> {
    return this.#makePart({ by: 'splitType', options }, 'started')
  }

  /**
   * A communicator of the members of a group (MPI 4.1, section 7.4.2). All ranks of this communicator
   * call it. They may name different groups, as long as all members of a group name the same.
   *
   * @returns `undefined` for who is not in the group
   * @throws GroupError when it is no group, or not all of its members are here
   * @throws AgreementError when a member names another group
   * @example
   * const workers = world.create(world.group.excl([0]))
   */
  create(group: Group): Communicator | undefined {
    const members = Group.membersOf(group, 'group')
    return this.#makePart({ by: 'create', members }, 'blocking').take()
  }

  /** Starts a `create`. */
  icreate(group: Group): Request<Communicator | undefined> {
    const members = Group.membersOf(group, 'group')
    return this.#makePart({ by: 'create', members }, 'started')
  }

  /**
   * As `create`, but only the members call it (MPI 4.1, section 7.4.2). Calls that are under way at one
   * time among some of the same ranks need different tags.
   *
   * @param options.tag - 0 to 2^30 - 1, 0 when left out; no other messages have anything to do with it
   * @returns `undefined` for who is not in the group
   * @throws GroupError, TagError, and AgreementError when rank 0 of the group names another group
   */
  createGroup(group: Group, options?: { tag?: number }): Communicator | undefined {
    return this.#makePart(groupOrder(group, options), 'blocking').take()
  }

  /** Starts a `createGroup`. */
  icreateGroup(group: Group, options?: { tag?: number }): Request<Communicator | undefined> {
    return this.#makePart(groupOrder(group, options), 'started')
  }

  /**
   * Lays ranks out as a grid, row by row; ranks that it has no room for are in none (MPI 4.1, section
   * 8.5.1). All ranks call it with the same dimensions.
   *
   * @param options.dims - number of ranks along each dimension, 1 or more; see `createDims`
   * @param options.periods - whether each dimension is a ring; none is when left out
   * @param options.reorder - whether ranks may be numbered anew; they are not
   * @throws DimsError when it is no grid, or larger than this communicator; ArgumentError
   * @throws AgreementError when ranks name different grids
   * @example
   * const grid = world.createCart({ dims: createDims(world.size, [0, 0]), periods: [true, true] })!
   * const { source, dest } = grid.shift(0)
   */
  createCart(options: CartOptions): CartesianCommunicator | undefined {
    return this.#makeGrid({ by: 'createCart', options }, 'blocking').take()
  }

  /** Starts a `createCart`. */
  icreateCart(options: CartOptions): Request<CartesianCommunicator | undefined> {
    return this.#makeGrid({ by: 'createCart', options }, 'started')
  }

  /**
   * How two communicators relate: the same one, two of the same ranks in the same order, in another
   * order, or of different ranks (MPI_Comm_compare).
   */
  compare(other: Communicator): 'identical' | 'congruent' | 'similar' | 'unequal' {
    if (Object(other) !== other || !(#state in other)) {
      throw new ArgumentError({ argument: 'other', seen: other, expected: 'a communicator' })
    }
    if (other.#state === this.#state) return 'identical'
    const groups = this.group.compare(other.group)
    return groups === 'identical' ? 'congruent' : groups
  }

  /**
   * Ends it for this rank: nothing more can be begun on it, what was begun completes. The others free it
   * as well (MPI 4.1, section 7.4.3). A program that does not is no worse off than the memory it takes.
   *
   * @throws CommunicatorError when it was freed before, and of the world and of self
   */
  free(): void {
    this.#engine.free(this.#state)
  }

  /** `using row = world.split(...)` frees it at the end of the block, unless that was done before. */
  [Symbol.dispose](): void {
    if (this.#state.closed === undefined) this.free()
  }

  /** Ends the whole job with this exit status (MPI 4.1, section 9.6). */
  abort(code: number): never {
    return this.#engine.abort(code)
  }

  #make(order: Order, form: MakingForm) {
    return this.#engine.make(this.#state, order, form, (made) => faceOf(made!, this.#engine))
  }

  #makePart(order: Order, form: MakingForm) {
    return this.#engine.make(this.#state, order, form, (made) => made && faceOf(made, this.#engine))
  }

  #makeGrid(order: Order, form: MakingForm) {
    return this.#engine.make(
      this.#state,
      order,
      form,
      (made) => made && new CartesianCommunicator(made, this.#engine),
    )
  }
}

/**
 * Ranks laid out as a grid in row-major order, the last coordinate varying fastest; along a periodic
 * dimension the end meets the beginning (MPI 4.1, section 8.5). A grid without dimensions is one rank.
 *
 * @example
 * const { source, dest } = grid.shift(1)
 * const fromLeft = grid.sendrecv(value, { dest, source })
 */
export class CartesianCommunicator extends Communicator {
  readonly #state: CommunicatorState
  readonly #engine: Engine

  /** @internal */
  constructor(state: CommunicatorState, engine: Engine) {
    super(state, engine)
    this.#state = state
    this.#engine = engine
  }

  /** Number of ranks along each dimension. */
  get dims(): readonly number[] {
    return this.#state.grid!.dims
  }

  /** Whether each dimension is a ring. */
  get periods(): readonly boolean[] {
    return this.#state.grid!.periods
  }

  /**
   * Where a rank is in the grid, this one when left out (MPI_Cart_coords).
   *
   * @throws RankError
   */
  coords(rank: number = this.rank): number[] {
    return this.#state.grid!.coordsOf(rank, this.name)
  }

  /**
   * The rank at a place in the grid (MPI_Cart_rank).
   *
   * @param coords - one for each dimension; any integer along a ring
   * @throws ArgumentError when they are outside
   */
  rankAt(coords: readonly number[]): number {
    return this.#state.grid!.rankAt(coords)
  }

  /**
   * Whom to exchange messages with when all ranks move data along a dimension (MPI 4.1, section 8.5.5).
   *
   * @param displacement - how far and which way; 1 when left out
   * @returns the rank that the data of this one goes to, and the one whose data comes here; `PROC_NULL`
   * where the grid has ended
   * @throws DimsError when there is no such dimension, ArgumentError
   */
  shift(dimension: number, displacement = 1): { source: Peer; dest: Peer } {
    const { source, dest } = this.#state.grid!.shift(this.rank, dimension, displacement)
    return { source: source ?? PROC_NULL, dest: dest ?? PROC_NULL }
  }

  /**
   * The part of the grid around this rank that keeps some of the dimensions: a row, a column, a plane
   * (MPI 4.1, section 8.5.6). All ranks call it and keep the same.
   *
   * @param keep - whether each dimension is kept
   * @throws ArgumentError, AgreementError
   * @example const row = grid.sub([false, true])
   */
  sub(keep: readonly boolean[]): CartesianCommunicator {
    return this.#make({ by: 'sub', keep }, 'blocking').take()
  }

  /** Starts a `sub`. */
  isub(keep: readonly boolean[]): Request<CartesianCommunicator> {
    return this.#make({ by: 'sub', keep }, 'started')
  }

  override dup(): CartesianCommunicator {
    return this.#make({ by: 'dup' }, 'blocking').take()
  }

  override idup(): Request<CartesianCommunicator> {
    return this.#make({ by: 'dup' }, 'started')
  }

  #make(order: Order, form: MakingForm) {
    return this.#engine.make(
      this.#state,
      order,
      form,
      (made) => new CartesianCommunicator(made!, this.#engine),
    )
  }
}

function faceOf(state: CommunicatorState, engine: Engine): Communicator {
  return state.grid === undefined
    ? new Communicator(state, engine)
    : new CartesianCommunicator(state, engine)
}

function groupOrder(group: Group, options: { tag?: number } | undefined): Order {
  return {
    by: 'createGroup',
    members: Group.membersOf(group, 'group'),
    tag: options?.tag ?? 0,
  }
}
