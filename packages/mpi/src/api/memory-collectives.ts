import type { Form } from '../coll/agreement.js'
import {
  ALLGATHERV_INTO,
  ALLGATHER_INTO,
  ALLREDUCE_INTO,
  ALLTOALLV_INTO,
  ALLTOALL_INTO,
  BCAST_INTO,
  EXSCAN_INTO,
  GATHERV_INTO,
  GATHER_INTO,
  REDUCE_INTO,
  REDUCE_SCATTER_BLOCK_INTO,
  REDUCE_SCATTER_INTO,
  SCAN_INTO,
  SCATTERV_INTO,
  SCATTER_INTO,
} from '../coll/operation.js'
import type { CollectiveOperation } from '../coll/operation.js'
import type { CommunicatorState } from '../comm/communicator-state.js'
import type { Memory } from '../datatype/index.js'
import type { BlocksByRank } from '../engine/collectives/call-memory.js'
import type { MemoryArguments } from '../engine/collectives/collective-memory.js'
import type { CollectiveOptions } from '../engine/collectives/collectives.js'
import type { Engine } from '../engine/engine.js'
import type { Op } from '../op/index.js'
import type { InPlace } from '../p2p/sentinels.js'
import type { AlgorithmOptions, RootOptions } from './collective-options.js'
import type { PersistentRequest, Request } from './request.js'
import { ValueCollectives } from './value-collectives.js'

/**
 * The collectives of memory: they fill memory of the caller, and copy nothing on the way when it is
 * registered (`alloc`). Send and receive buffers must not overlap; `IN_PLACE` instead of one of them says
 * that the other is both (MPI 4.1, section 6.2.1). Buffers of i-forms belong to the library until the
 * request is complete.
 *
 * @throws BufferError, CountError, DatatypeError, OverlapError on buffers that do not fit
 * @throws AgreementError when ranks call different collectives, or with other roots, reductions,
 * kinds or counts
 */
export abstract class MemoryCollectives extends ValueCollectives {
  readonly #state: CommunicatorState
  readonly #engine: Engine

  /** @internal */
  constructor(state: CommunicatorState, engine: Engine) {
    super(state, engine)
    this.#state = state
    this.#engine = engine
  }

  /**
   * Every rank's memory takes what the root's holds (MPI 4.1, section 6.4). All must hold as many
   * elements of one kind; datatypes may differ.
   */
  bcastInto(memory: Memory, options?: RootOptions): void {
    this.#run(BCAST_INTO, { recv: memory }, undefined, options, 'blocking')
  }

  /** Starts a `bcastInto` (MPI 4.1, section 6.12). */
  ibcastInto(memory: Memory, options?: RootOptions): Request<void> {
    return this.#run(BCAST_INTO, { recv: memory }, undefined, options, 'started') as Request<void>
  }

  /** Sets up a `bcastInto` to be started many times (MPI 4.1, section 6.13). */
  bcastIntoInit(memory: Memory, options?: RootOptions): PersistentRequest<void> {
    return this.#run(
      BCAST_INTO,
      { recv: memory },
      undefined,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * The root's `recv` takes the `send` of every rank, block after block in rank order (MPI 4.1, section
   * 6.5); the others' `recv` does not count. `IN_PLACE` as the root's `send`: its block is there already.
   *
   * @throws CountError when `recv` is not `size` times as long as `send`
   */
  gatherInto(send: Memory | InPlace, recv: Memory | undefined, options?: RootOptions): void {
    this.#run(GATHER_INTO, { send, recv }, undefined, options, 'blocking')
  }

  /** Starts a `gatherInto` (MPI 4.1, section 6.12). */
  igatherInto(
    send: Memory | InPlace,
    recv: Memory | undefined,
    options?: RootOptions,
  ): Request<void> {
    return this.#run(GATHER_INTO, { send, recv }, undefined, options, 'started') as Request<void>
  }

  /** Sets up a `gatherInto` to be started many times (MPI 4.1, section 6.13). */
  gatherIntoInit(
    send: Memory | InPlace,
    recv: Memory | undefined,
    options?: RootOptions,
  ): PersistentRequest<void> {
    return this.#run(
      GATHER_INTO,
      { send, recv },
      undefined,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * As `gatherInto` with blocks of different lengths, which the root lists by rank (MPI 4.1, section 6.5).
   *
   * @throws BlockError where a rank sends another length than the root lists for it
   */
  gathervInto(send: Memory | InPlace, recv: BlocksByRank | undefined, options?: RootOptions): void {
    this.#run(GATHERV_INTO, { send, recv }, undefined, options, 'blocking')
  }

  /** Starts a `gathervInto` (MPI 4.1, section 6.12). */
  igathervInto(
    send: Memory | InPlace,
    recv: BlocksByRank | undefined,
    options?: RootOptions,
  ): Request<void> {
    return this.#run(GATHERV_INTO, { send, recv }, undefined, options, 'started') as Request<void>
  }

  /** Sets up a `gathervInto` to be started many times (MPI 4.1, section 6.13). */
  gathervIntoInit(
    send: Memory | InPlace,
    recv: BlocksByRank | undefined,
    options?: RootOptions,
  ): PersistentRequest<void> {
    return this.#run(
      GATHERV_INTO,
      { send, recv },
      undefined,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * Each rank's `recv` takes its block of the root's `send` (MPI 4.1, section 6.6). `IN_PLACE` as the
   * root's `recv`: its block stays where it is.
   */
  scatterInto(send: Memory | undefined, recv: Memory | InPlace, options?: RootOptions): void {
    this.#run(SCATTER_INTO, { send, recv }, undefined, options, 'blocking')
  }

  /** Starts a `scatterInto` (MPI 4.1, section 6.12). */
  iscatterInto(
    send: Memory | undefined,
    recv: Memory | InPlace,
    options?: RootOptions,
  ): Request<void> {
    return this.#run(SCATTER_INTO, { send, recv }, undefined, options, 'started') as Request<void>
  }

  /** Sets up a `scatterInto` to be started many times (MPI 4.1, section 6.13). */
  scatterIntoInit(
    send: Memory | undefined,
    recv: Memory | InPlace,
    options?: RootOptions,
  ): PersistentRequest<void> {
    return this.#run(
      SCATTER_INTO,
      { send, recv },
      undefined,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * As `scatterInto` with blocks of different lengths, which the root lists by rank (MPI 4.1, section 6.6).
   */
  scattervInto(
    send: BlocksByRank | undefined,
    recv: Memory | InPlace,
    options?: RootOptions,
  ): void {
    this.#run(SCATTERV_INTO, { send, recv }, undefined, options, 'blocking')
  }

  /** Starts a `scattervInto` (MPI 4.1, section 6.12). */
  iscattervInto(
    send: BlocksByRank | undefined,
    recv: Memory | InPlace,
    options?: RootOptions,
  ): Request<void> {
    return this.#run(SCATTERV_INTO, { send, recv }, undefined, options, 'started') as Request<void>
  }

  /** Sets up a `scattervInto` to be started many times (MPI 4.1, section 6.13). */
  scattervIntoInit(
    send: BlocksByRank | undefined,
    recv: Memory | InPlace,
    options?: RootOptions,
  ): PersistentRequest<void> {
    return this.#run(
      SCATTERV_INTO,
      { send, recv },
      undefined,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * Every rank's `recv` takes the `send` of every rank, in rank order (MPI 4.1, section 6.7). `IN_PLACE`:
   * each rank's block is in its `recv` already.
   *
   * @example
   * world.allgatherInto(part, whole) // whole.length === world.size * part.length
   */
  allgatherInto(send: Memory | InPlace, recv: Memory, options?: AlgorithmOptions): void {
    this.#run(ALLGATHER_INTO, { send, recv }, undefined, options, 'blocking')
  }

  /** Starts an `allgatherInto` (MPI 4.1, section 6.12). */
  iallgatherInto(send: Memory | InPlace, recv: Memory, options?: AlgorithmOptions): Request<void> {
    return this.#run(ALLGATHER_INTO, { send, recv }, undefined, options, 'started') as Request<void>
  }

  /** Sets up an `allgatherInto` to be started many times (MPI 4.1, section 6.13). */
  allgatherIntoInit(
    send: Memory | InPlace,
    recv: Memory,
    options?: AlgorithmOptions,
  ): PersistentRequest<void> {
    return this.#run(
      ALLGATHER_INTO,
      { send, recv },
      undefined,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * As `allgatherInto` with blocks of different lengths, which all ranks list alike (MPI 4.1, section 6.7).
   */
  allgathervInto(send: Memory | InPlace, recv: BlocksByRank, options?: AlgorithmOptions): void {
    this.#run(ALLGATHERV_INTO, { send, recv }, undefined, options, 'blocking')
  }

  /** Starts an `allgathervInto` (MPI 4.1, section 6.12). */
  iallgathervInto(
    send: Memory | InPlace,
    recv: BlocksByRank,
    options?: AlgorithmOptions,
  ): Request<void> {
    return this.#run(
      ALLGATHERV_INTO,
      { send, recv },
      undefined,
      options,
      'started',
    ) as Request<void>
  }

  /** Sets up an `allgathervInto` to be started many times (MPI 4.1, section 6.13). */
  allgathervIntoInit(
    send: Memory | InPlace,
    recv: BlocksByRank,
    options?: AlgorithmOptions,
  ): PersistentRequest<void> {
    return this.#run(
      ALLGATHERV_INTO,
      { send, recv },
      undefined,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * Block j of rank i's `send` goes to block i of rank j's `recv` (MPI 4.1, section 6.8). `IN_PLACE`: what
   * is sent is taken from `recv`.
   */
  alltoallInto(send: Memory | InPlace, recv: Memory, options?: AlgorithmOptions): void {
    this.#run(ALLTOALL_INTO, { send, recv }, undefined, options, 'blocking')
  }

  /** Starts an `alltoallInto` (MPI 4.1, section 6.12). */
  ialltoallInto(send: Memory | InPlace, recv: Memory, options?: AlgorithmOptions): Request<void> {
    return this.#run(ALLTOALL_INTO, { send, recv }, undefined, options, 'started') as Request<void>
  }

  /** Sets up an `alltoallInto` to be started many times (MPI 4.1, section 6.13). */
  alltoallIntoInit(
    send: Memory | InPlace,
    recv: Memory,
    options?: AlgorithmOptions,
  ): PersistentRequest<void> {
    return this.#run(
      ALLTOALL_INTO,
      { send, recv },
      undefined,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * As `alltoallInto` with blocks of different lengths: what i lists for j must be what j lists for i
   * (MPI 4.1, section 6.8).
   *
   * @throws BlockError where the two differ
   * @example
   * const counts = world.alltoall(sendCounts)
   * world.alltoallvInto({ data: keys, counts: sendCounts }, { data: sorted, counts })
   */
  alltoallvInto(
    send: BlocksByRank | InPlace,
    recv: BlocksByRank,
    options?: AlgorithmOptions,
  ): void {
    this.#run(ALLTOALLV_INTO, { send, recv }, undefined, options, 'blocking')
  }

  /** Starts an `alltoallvInto` (MPI 4.1, section 6.12). */
  ialltoallvInto(
    send: BlocksByRank | InPlace,
    recv: BlocksByRank,
    options?: AlgorithmOptions,
  ): Request<void> {
    return this.#run(ALLTOALLV_INTO, { send, recv }, undefined, options, 'started') as Request<void>
  }

  /** Sets up an `alltoallvInto` to be started many times (MPI 4.1, section 6.13). */
  alltoallvIntoInit(
    send: BlocksByRank | InPlace,
    recv: BlocksByRank,
    options?: AlgorithmOptions,
  ): PersistentRequest<void> {
    return this.#run(
      ALLTOALLV_INTO,
      { send, recv },
      undefined,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * The root's `recv` takes what every rank's `send` holds, folded element by element (MPI 4.1, section
   * 6.9.1). `IN_PLACE` as the root's `send`: its part is in `recv`.
   */
  reduceInto(
    send: Memory | InPlace,
    recv: Memory | undefined,
    op: Op,
    options?: RootOptions,
  ): void {
    this.#run(REDUCE_INTO, { send, recv }, op, options, 'blocking')
  }

  /** Starts a `reduceInto` (MPI 4.1, section 6.12). */
  ireduceInto(
    send: Memory | InPlace,
    recv: Memory | undefined,
    op: Op,
    options?: RootOptions,
  ): Request<void> {
    return this.#run(REDUCE_INTO, { send, recv }, op, options, 'started') as Request<void>
  }

  /** Sets up a `reduceInto` to be started many times (MPI 4.1, section 6.13). */
  reduceIntoInit(
    send: Memory | InPlace,
    recv: Memory | undefined,
    op: Op,
    options?: RootOptions,
  ): PersistentRequest<void> {
    return this.#run(
      REDUCE_INTO,
      { send, recv },
      op,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * As `reduceInto`, and every rank gets the result, the same to the bit (MPI 4.1, section 6.9.6).
   *
   * @throws OpError when the reduction is not defined on the kind; CountError when lengths differ
   * @example
   * world.allreduceInto(IN_PLACE, gradient, SUM)
   */
  allreduceInto(send: Memory | InPlace, recv: Memory, op: Op, options?: AlgorithmOptions): void {
    this.#run(ALLREDUCE_INTO, { send, recv }, op, options, 'blocking')
  }

  /** Starts an `allreduceInto` (MPI 4.1, section 6.12). */
  iallreduceInto(
    send: Memory | InPlace,
    recv: Memory,
    op: Op,
    options?: AlgorithmOptions,
  ): Request<void> {
    return this.#run(ALLREDUCE_INTO, { send, recv }, op, options, 'started') as Request<void>
  }

  /** Sets up an `allreduceInto` to be started many times (MPI 4.1, section 6.13). */
  allreduceIntoInit(
    send: Memory | InPlace,
    recv: Memory,
    op: Op,
    options?: AlgorithmOptions,
  ): PersistentRequest<void> {
    return this.#run(
      ALLREDUCE_INTO,
      { send, recv },
      op,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * Folds `send`, which has a block for each rank, and gives each rank its block (MPI 4.1, section
   * 6.10.1). `IN_PLACE`: `recv` holds all blocks, and takes the result at its beginning.
   */
  reduceScatterBlockInto(
    send: Memory | InPlace,
    recv: Memory,
    op: Op,
    options?: AlgorithmOptions,
  ): void {
    this.#run(REDUCE_SCATTER_BLOCK_INTO, { send, recv }, op, options, 'blocking')
  }

  /** Starts a `reduceScatterBlockInto` (MPI 4.1, section 6.12). */
  ireduceScatterBlockInto(
    send: Memory | InPlace,
    recv: Memory,
    op: Op,
    options?: AlgorithmOptions,
  ): Request<void> {
    return this.#run(
      REDUCE_SCATTER_BLOCK_INTO,
      { send, recv },
      op,
      options,
      'started',
    ) as Request<void>
  }

  /** Sets up a `reduceScatterBlockInto` to be started many times (MPI 4.1, section 6.13). */
  reduceScatterBlockIntoInit(
    send: Memory | InPlace,
    recv: Memory,
    op: Op,
    options?: AlgorithmOptions,
  ): PersistentRequest<void> {
    return this.#run(
      REDUCE_SCATTER_BLOCK_INTO,
      { send, recv },
      op,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * As `reduceScatterBlockInto` with blocks of different lengths, which all ranks list alike, in `send`
   * or, in place, in `recv` (MPI 4.1, section 6.10.2).
   */
  reduceScatterInto(
    send: BlocksByRank | InPlace,
    recv: Memory | BlocksByRank,
    op: Op,
    options?: AlgorithmOptions,
  ): void {
    this.#run(REDUCE_SCATTER_INTO, { send, recv }, op, options, 'blocking')
  }

  /** Starts a `reduceScatterInto` (MPI 4.1, section 6.12). */
  ireduceScatterInto(
    send: BlocksByRank | InPlace,
    recv: Memory | BlocksByRank,
    op: Op,
    options?: AlgorithmOptions,
  ): Request<void> {
    return this.#run(REDUCE_SCATTER_INTO, { send, recv }, op, options, 'started') as Request<void>
  }

  /** Sets up a `reduceScatterInto` to be started many times (MPI 4.1, section 6.13). */
  reduceScatterIntoInit(
    send: BlocksByRank | InPlace,
    recv: Memory | BlocksByRank,
    op: Op,
    options?: AlgorithmOptions,
  ): PersistentRequest<void> {
    return this.#run(
      REDUCE_SCATTER_INTO,
      { send, recv },
      op,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * Rank r's `recv` takes the `send` of ranks 0 to r, folded in that order (MPI 4.1, section 6.11.1).
   */
  scanInto(send: Memory | InPlace, recv: Memory, op: Op, options?: AlgorithmOptions): void {
    this.#run(SCAN_INTO, { send, recv }, op, options, 'blocking')
  }

  /** Starts a `scanInto` (MPI 4.1, section 6.12). */
  iscanInto(
    send: Memory | InPlace,
    recv: Memory,
    op: Op,
    options?: AlgorithmOptions,
  ): Request<void> {
    return this.#run(SCAN_INTO, { send, recv }, op, options, 'started') as Request<void>
  }

  /** Sets up a `scanInto` to be started many times (MPI 4.1, section 6.13). */
  scanIntoInit(
    send: Memory | InPlace,
    recv: Memory,
    op: Op,
    options?: AlgorithmOptions,
  ): PersistentRequest<void> {
    return this.#run(
      SCAN_INTO,
      { send, recv },
      op,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * Rank r's `recv` takes the `send` of ranks 0 to r - 1, folded; rank 0's is left alone (MPI 4.1,
   * section 6.11.2).
   */
  exscanInto(send: Memory | InPlace, recv: Memory, op: Op, options?: AlgorithmOptions): void {
    this.#run(EXSCAN_INTO, { send, recv }, op, options, 'blocking')
  }

  /** Starts an `exscanInto` (MPI 4.1, section 6.12). */
  iexscanInto(
    send: Memory | InPlace,
    recv: Memory,
    op: Op,
    options?: AlgorithmOptions,
  ): Request<void> {
    return this.#run(EXSCAN_INTO, { send, recv }, op, options, 'started') as Request<void>
  }

  /** Sets up an `exscanInto` to be started many times (MPI 4.1, section 6.13). */
  exscanIntoInit(
    send: Memory | InPlace,
    recv: Memory,
    op: Op,
    options?: AlgorithmOptions,
  ): PersistentRequest<void> {
    return this.#run(
      EXSCAN_INTO,
      { send, recv },
      op,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  #run(
    operation: CollectiveOperation,
    given: MemoryArguments,
    op: Op | undefined,
    options: CollectiveOptions | undefined,
    form: Form,
  ): unknown {
    return this.#engine.collective(this.#state, operation, given, op, options, form)
  }
}
