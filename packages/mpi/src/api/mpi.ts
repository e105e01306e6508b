import { hostname } from 'node:os'
import { OutOfMemory } from '@commworld/transport'
import { elementKinds, kindOf, NO_KIND, type TypedArray } from '../datatype/index.js'
import { ArgumentError, CountError, MemoryUseError, NoMemoryError } from '../errors/index.js'
import { checkOpen, TAG_UPPER_BOUND } from '../engine/arguments.js'
import type { RankRuntime } from '../engine/world/rank-runtime.js'
import { Communicator } from './communicator.js'

/** A typed array class, as `alloc` takes it. */
export interface ArrayKind<A extends TypedArray> {
  readonly prototype: A
  readonly BYTES_PER_ELEMENT: number
}

/** The predefined attributes of MPI 4.1, section 9.1.2. */
export interface Attributes {
  /** Largest tag (MPI_TAG_UB). */
  readonly tagUpperBound: number
  /** Ranks that could be run (MPI_UNIVERSE_SIZE). */
  readonly universeSize: number
  /** Number of this rank's program among those that were started together (MPI_APPNUM). */
  readonly appNumber: number
  /** Whether `wtime` is the same clock on all ranks (MPI_WTIME_IS_GLOBAL). */
  readonly wtimeIsGlobal: boolean
}

/**
 * What a program gets: its world, and memory that its HCA can reach.
 *
 * @example
 * export default function main({ world, alloc }: Mpi) {
 *   const field = alloc(Float64Array, 1 << 20)
 *   world.recvInto(field, { source: 0 })
 * }
 */
export interface Mpi {
  /** All ranks (MPI_COMM_WORLD). */
  readonly world: Communicator
  /** This rank alone (MPI_COMM_SELF). */
  readonly self: Communicator
  /** What follows the program on the command line (`process.argv` holds it too, as usual). */
  readonly args: readonly string[]
  /** The MPI standard this follows, and this library (MPI_Get_version, MPI_Get_library_version). */
  readonly version: { readonly standard: string; readonly library: string }
  /** Name of the machine (MPI_Get_processor_name). */
  readonly processorName: string
  readonly attributes: Attributes
  /**
   * Registered memory, zeroed: a view on the world's shared memory. What lies in it is sent and
   * received without a copy on the way (MPI_Alloc_mem).
   *
   * @param kind a typed array class
   * @param length in elements
   * @throws NoMemoryError when the world's memory has no room; its size is an option of the launcher
   */
  alloc<A extends TypedArray>(kind: ArrayKind<A>, length: number): A
  /**
   * Gives registered memory back (MPI_Free_mem). All of it goes at the end of the world by itself.
   *
   * @param view what `alloc` returned
   * @throws MemoryUseError when it is something else, was freed, or is still in use
   */
  free(view: TypedArray): void
  /** Memory for buffered sends (MPI_Buffer_attach): so many bytes may be under way, 64 more a message. */
  attachBuffer(bytes: number): void
  /** Takes it away when all buffered sends are complete (MPI_Buffer_detach). @returns its size */
  detachBuffer(): number
  /**
   * Seconds since some time in the past; the difference of two calls counts (MPI_Wtime). On a simulated
   * fabric this is virtual time: what the program would have taken there.
   */
  wtime(): number
  /** Resolution of `wtime` in seconds (MPI_Wtick). */
  wtick(): number
  /**
   * Says that the program computes for so long. On a simulated fabric, where computing costs nothing by
   * itself, the rank is busy until then; elsewhere nothing happens, as computing takes its own time.
   *
   * @param seconds from 0
   * @throws ArgumentError
   * @example
   * compute(cells * 2e-9)
   * await world.isend(halo, { dest: right })
   */
  compute(seconds: number): void
}

/** A program: the default export of the file that is run. */
export type Program<R = unknown> = (mpi: Mpi) => R | Promise<R>

/** What a program gets on this rank. */
export function createMpi(
  runtime: RankRuntime,
  facts: { args: readonly string[]; appNumber: number },
): Mpi {
  const { rank, engine } = runtime
  const { clock } = rank.carrier
  return {
    world: new Communicator(rank.world, engine),
    self: new Communicator(rank.self, engine),
    args: facts.args,
    version: VERSION,
    processorName: hostname(),
    attributes: {
      tagUpperBound: TAG_UPPER_BOUND,
      universeSize: rank.size,
      appNumber: facts.appNumber,
      wtimeIsGlobal: true,
    },
    alloc: (kind, length) => alloc(runtime, kind, length),
    free: (view) => free(runtime, view),
    attachBuffer(bytes) {
      if (!Number.isSafeInteger(bytes) || bytes < 0) {
        const expected = 'a number of bytes from 0'
        throw new ArgumentError({ argument: 'bytes', seen: bytes, expected })
      }
      rank.outbox.attachBuffer(bytes)
    },
    detachBuffer: () => engine.detachBuffer(),
    // One clock for all threads: it counts from a fixed time of the system.
    wtime: clock?.seconds ?? (() => (performance.timeOrigin + performance.now()) / 1000),
    wtick: () => (clock === undefined ? 1e-6 : 1e-12),
    compute: clock?.compute ?? checkSeconds,
  }
}

function checkSeconds(seconds: number): void {
  if (seconds >= 0) return
  throw new ArgumentError({ argument: 'seconds', seen: seconds, expected: 'seconds from 0' })
}

const VERSION = { standard: '4.1', library: 'Commworld 0.1.0' } as const

function alloc<A extends TypedArray>(runtime: RankRuntime, kind: ArrayKind<A>, length: number): A {
  const constructor = kind as unknown as new (
    buffer: ArrayBufferLike,
    byteOffset: number,
    length: number,
  ) => A
  if (!isArrayClass(kind)) {
    const expected = 'a typed array class, such as Float64Array'
    throw new ArgumentError({ argument: 'kind', seen: kind, expected })
  }
  if (!Number.isSafeInteger(length) || length < 0) {
    throw new CountError({ argument: 'length', seen: length, expected: 'an integer of at least 0' })
  }
  const { memory, endpoint, world } = runtime.rank
  checkOpen(world)
  const bytes = length * kind.BYTES_PER_ELEMENT
  try {
    return new constructor(memory.buffer, endpoint.registered.allocate(bytes), length)
  } catch (error) {
    if (error instanceof OutOfMemory) throw new NoMemoryError(error)
    throw error
  }
}

function isArrayClass(kind: unknown): boolean {
  return elementKinds.some(({ array }) => array === kind)
}

function free({ rank }: RankRuntime, view: TypedArray): void {
  if (kindOf(view) === NO_KIND || view.buffer !== rank.memory.buffer) {
    throw new MemoryUseError({ problem: 'foreign' })
  }
  checkOpen(rank.world)
  const { byteOffset, byteLength } = view
  rank.endpoint.registered.free(byteOffset, byteLength, (start, end) =>
    rank.ownership.isOwned(start, end),
  )
  rank.views.forget()
}
