import type { Form } from '../coll/agreement.js'
import {
  ALLGATHER,
  ALLREDUCE,
  ALLTOALL,
  BARRIER,
  BCAST,
  EXSCAN,
  GATHER,
  REDUCE,
  REDUCE_SCATTER,
  SCAN,
  SCATTER,
} from '../coll/operation.js'
import type { CollectiveOperation } from '../coll/operation.js'
import type { CommunicatorState } from '../comm/communicator-state.js'
import type { CollectiveOptions } from '../engine/collectives/collectives.js'
import type { Engine } from '../engine/engine.js'
import type { Op } from '../op/index.js'
import type { AlgorithmOptions, RootOptions } from './collective-options.js'
import { PointToPoint } from './point-to-point.js'
import type { PersistentRequest, Request } from './request.js'

/**
 * The collectives of values. All ranks of the communicator call them, in the same order and with the
 * same root and reduction; a call that does not agree is an AgreementError. Values keep their order:
 * reductions fold in rank order unless they commute.
 *
 * @throws CommunicatorError after `free`; AgreementError when ranks call different collectives
 * @throws SharedThreadError for plain verbs on a thread shared by several ranks: await the i-form
 */
export abstract class ValueCollectives extends PointToPoint {
  readonly #state: CommunicatorState
  readonly #engine: Engine

  /** @internal */
  constructor(state: CommunicatorState, engine: Engine) {
    super(state, engine)
    this.#state = state
    this.#engine = engine
  }

  /**
   * Returns when every rank has called it (MPI 4.1, section 6.3).
   */
  barrier(options?: AlgorithmOptions): void {
    this.#run(BARRIER, undefined, undefined, options, 'blocking')
  }

  /** Starts a `barrier` (MPI 4.1, section 6.12). */
  ibarrier(options?: AlgorithmOptions): Request<void> {
    return this.#run(BARRIER, undefined, undefined, options, 'started') as Request<void>
  }

  /** Sets up a `barrier` to be started many times (MPI 4.1, section 6.13). */
  barrierInit(options?: AlgorithmOptions): PersistentRequest<void> {
    return this.#run(
      BARRIER,
      undefined,
      undefined,
      options,
      'persistent',
    ) as PersistentRequest<void>
  }

  /**
   * Every rank gets the value of the root, whose argument alone counts; others may pass undefined (MPI
   * 4.1, section 6.4). The root gets back what it passed.
   *
   * @param options.root rank that has the value; 0 when left out
   * @throws RootError
   * @example
   * const settings = world.bcast(world.rank === 0 ? readSettings() : undefined)
   */
  bcast<T>(value: T | undefined, options?: RootOptions): T {
    return this.#run(BCAST, value, undefined, options, 'blocking') as T
  }

  /** Starts a `bcast` (MPI 4.1, section 6.12). */
  ibcast<T>(value: T | undefined, options?: RootOptions): Request<T> {
    return this.#run(BCAST, value, undefined, options, 'started') as Request<T>
  }

  /** Sets up a `bcast` to be started many times (MPI 4.1, section 6.13). */
  bcastInit<T>(value: T | undefined, options?: RootOptions): PersistentRequest<T> {
    return this.#run(BCAST, value, undefined, options, 'persistent') as PersistentRequest<T>
  }

  /**
   * The root gets the values of all ranks in rank order, the others undefined (MPI 4.1, section 6.5).
   *
   * @example
   * const names = world.gather(name, { root: 0 })
   * if (names !== undefined) console.log(names.join(' '))
   */
  gather<T>(value: T, options?: RootOptions): T[] | undefined {
    return this.#run(GATHER, value, undefined, options, 'blocking') as T[] | undefined
  }

  /** Starts a `gather` (MPI 4.1, section 6.12). */
  igather<T>(value: T, options?: RootOptions): Request<T[] | undefined> {
    return this.#run(GATHER, value, undefined, options, 'started') as Request<T[] | undefined>
  }

  /** Sets up a `gather` to be started many times (MPI 4.1, section 6.13). */
  gatherInit<T>(value: T, options?: RootOptions): PersistentRequest<T[] | undefined> {
    return this.#run(GATHER, value, undefined, options, 'persistent') as PersistentRequest<
      T[] | undefined
    >
  }

  /**
   * Each rank gets its value of the root's array, which has one for each rank (MPI 4.1, section 6.6).
   *
   * @throws ArgumentError at the root when it is no array of `size` values
   */
  scatter<T>(values: readonly T[] | undefined, options?: RootOptions): T {
    return this.#run(SCATTER, values, undefined, options, 'blocking') as T
  }

  /** Starts a `scatter` (MPI 4.1, section 6.12). */
  iscatter<T>(values: readonly T[] | undefined, options?: RootOptions): Request<T> {
    return this.#run(SCATTER, values, undefined, options, 'started') as Request<T>
  }

  /** Sets up a `scatter` to be started many times (MPI 4.1, section 6.13). */
  scatterInit<T>(values: readonly T[] | undefined, options?: RootOptions): PersistentRequest<T> {
    return this.#run(SCATTER, values, undefined, options, 'persistent') as PersistentRequest<T>
  }

  /**
   * Every rank gets the values of all ranks in rank order (MPI 4.1, section 6.7).
   */
  allgather<T>(value: T, options?: AlgorithmOptions): T[] {
    return this.#run(ALLGATHER, value, undefined, options, 'blocking') as T[]
  }

  /** Starts an `allgather` (MPI 4.1, section 6.12). */
  iallgather<T>(value: T, options?: AlgorithmOptions): Request<T[]> {
    return this.#run(ALLGATHER, value, undefined, options, 'started') as Request<T[]>
  }

  /** Sets up an `allgather` to be started many times (MPI 4.1, section 6.13). */
  allgatherInit<T>(value: T, options?: AlgorithmOptions): PersistentRequest<T[]> {
    return this.#run(ALLGATHER, value, undefined, options, 'persistent') as PersistentRequest<T[]>
  }

  /**
   * Value j of rank i becomes value i of rank j: a transpose (MPI 4.1, section 6.8).
   *
   * @throws ArgumentError when `values` has not one value for each rank
   */
  alltoall<T>(values: readonly T[], options?: AlgorithmOptions): T[] {
    return this.#run(ALLTOALL, values, undefined, options, 'blocking') as T[]
  }

  /** Starts an `alltoall` (MPI 4.1, section 6.12). */
  ialltoall<T>(values: readonly T[], options?: AlgorithmOptions): Request<T[]> {
    return this.#run(ALLTOALL, values, undefined, options, 'started') as Request<T[]>
  }

  /** Sets up an `alltoall` to be started many times (MPI 4.1, section 6.13). */
  alltoallInit<T>(values: readonly T[], options?: AlgorithmOptions): PersistentRequest<T[]> {
    return this.#run(ALLTOALL, values, undefined, options, 'persistent') as PersistentRequest<T[]>
  }

  /**
   * The root gets the values of all ranks folded by `op`, the others undefined (MPI 4.1, section
   * 6.9.1). Typed arrays are folded element by element and must have one kind and length.
   *
   * @throws OpError when the reduction is not defined on the value
   */
  reduce<T>(value: T, op: Op, options?: RootOptions): T | undefined {
    return this.#run(REDUCE, value, op, options, 'blocking') as T | undefined
  }

  /** Starts a `reduce` (MPI 4.1, section 6.12). */
  ireduce<T>(value: T, op: Op, options?: RootOptions): Request<T | undefined> {
    return this.#run(REDUCE, value, op, options, 'started') as Request<T | undefined>
  }

  /** Sets up a `reduce` to be started many times (MPI 4.1, section 6.13). */
  reduceInit<T>(value: T, op: Op, options?: RootOptions): PersistentRequest<T | undefined> {
    return this.#run(REDUCE, value, op, options, 'persistent') as PersistentRequest<T | undefined>
  }

  /**
   * Combines a value of every rank; every rank gets the same result, to the bit (MPI 4.1, section 6.9.6).
   *
   * @throws OpError when the reduction is not defined on the value
   * @example
   * const total = world.allreduce(localSum, SUM)
   */
  allreduce<T>(value: T, op: Op, options?: AlgorithmOptions): T {
    return this.#run(ALLREDUCE, value, op, options, 'blocking') as T
  }

  /** Starts an `allreduce` (MPI 4.1, section 6.12). */
  iallreduce<T>(value: T, op: Op, options?: AlgorithmOptions): Request<T> {
    return this.#run(ALLREDUCE, value, op, options, 'started') as Request<T>
  }

  /** Sets up an `allreduce` to be started many times (MPI 4.1, section 6.13). */
  allreduceInit<T>(value: T, op: Op, options?: AlgorithmOptions): PersistentRequest<T> {
    return this.#run(ALLREDUCE, value, op, options, 'persistent') as PersistentRequest<T>
  }

  /**
   * Value j of all ranks, folded by `op`, goes to rank j (MPI 4.1, section 6.10).
   *
   * @throws ArgumentError when `values` has not one value for each rank
   */
  reduceScatter<T>(values: readonly T[], op: Op, options?: AlgorithmOptions): T {
    return this.#run(REDUCE_SCATTER, values, op, options, 'blocking') as T
  }

  /** Starts a `reduceScatter` (MPI 4.1, section 6.12). */
  ireduceScatter<T>(values: readonly T[], op: Op, options?: AlgorithmOptions): Request<T> {
    return this.#run(REDUCE_SCATTER, values, op, options, 'started') as Request<T>
  }

  /** Sets up a `reduceScatter` to be started many times (MPI 4.1, section 6.13). */
  reduceScatterInit<T>(
    values: readonly T[],
    op: Op,
    options?: AlgorithmOptions,
  ): PersistentRequest<T> {
    return this.#run(REDUCE_SCATTER, values, op, options, 'persistent') as PersistentRequest<T>
  }

  /**
   * Rank r gets the values of ranks 0 to r, folded in that order (MPI 4.1, section 6.11.1).
   */
  scan<T>(value: T, op: Op, options?: AlgorithmOptions): T {
    return this.#run(SCAN, value, op, options, 'blocking') as T
  }

  /** Starts a `scan` (MPI 4.1, section 6.12). */
  iscan<T>(value: T, op: Op, options?: AlgorithmOptions): Request<T> {
    return this.#run(SCAN, value, op, options, 'started') as Request<T>
  }

  /** Sets up a `scan` to be started many times (MPI 4.1, section 6.13). */
  scanInit<T>(value: T, op: Op, options?: AlgorithmOptions): PersistentRequest<T> {
    return this.#run(SCAN, value, op, options, 'persistent') as PersistentRequest<T>
  }

  /**
   * Rank r gets the values of ranks 0 to r - 1, rank 0 undefined (MPI 4.1, section 6.11.2).
   */
  exscan<T>(value: T, op: Op, options?: AlgorithmOptions): T | undefined {
    return this.#run(EXSCAN, value, op, options, 'blocking') as T | undefined
  }

  /** Starts an `exscan` (MPI 4.1, section 6.12). */
  iexscan<T>(value: T, op: Op, options?: AlgorithmOptions): Request<T | undefined> {
    return this.#run(EXSCAN, value, op, options, 'started') as Request<T | undefined>
  }

  /** Sets up an `exscan` to be started many times (MPI 4.1, section 6.13). */
  exscanInit<T>(value: T, op: Op, options?: AlgorithmOptions): PersistentRequest<T | undefined> {
    return this.#run(EXSCAN, value, op, options, 'persistent') as PersistentRequest<T | undefined>
  }

  #run(
    operation: CollectiveOperation,
    given: unknown,
    op: Op | undefined,
    options: CollectiveOptions | undefined,
    form: Form,
  ): unknown {
    return this.#engine.collective(this.#state, operation, given, op, options, form)
  }
}
