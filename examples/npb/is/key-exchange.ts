import { SUM, type Mpi } from '@commworld/mpi'
import { countByBucket, dealOut, sortByBucket, startsOf } from './buckets.js'
import type { KeyRange } from './keys.js'

/**
 * Sends every key to the rank that owns its bucket. Three collectives: the sizes of the buckets are
 * summed up so that all ranks share them out alike, then each tells each how many keys it will send,
 * then the keys travel. What is communicated lies in registered memory.
 */
export class KeyExchange {
  readonly #mpi: Mpi
  readonly #shift: number
  readonly #mySizes: Int32Array
  readonly #sizes: Int32Array
  readonly #sendCounts: Int32Array
  readonly #receiveCounts: Int32Array
  readonly #sorted: Int32Array
  #received: Int32Array

  /** @param shape how many keys this rank has, and how many buckets of 2^shift keys there are */
  constructor(mpi: Mpi, shape: { keys: number; buckets: number; shift: number }) {
    this.#mpi = mpi
    this.#shift = shape.shift
    this.#mySizes = mpi.alloc(Int32Array, shape.buckets)
    this.#sizes = mpi.alloc(Int32Array, shape.buckets)
    this.#sendCounts = mpi.alloc(Int32Array, mpi.world.size)
    this.#receiveCounts = mpi.alloc(Int32Array, mpi.world.size)
    this.#sorted = mpi.alloc(Int32Array, shape.keys)
    this.#received = mpi.alloc(Int32Array, shape.keys)
  }

  exchange(keys: Int32Array): KeyRange {
    const { world } = this.#mpi
    countByBucket(keys, this.#shift, this.#mySizes)
    world.allreduceInto(this.#mySizes, this.#sizes, SUM)
    const starts = startsOf(this.#sizes)
    const firstBuckets = dealOut(starts, world.size)

    const myStarts = startsOf(this.#mySizes)
    sortByBucket(keys, this.#shift, myStarts, this.#sorted)
    for (let dest = 0; dest < world.size; dest++) {
      this.#sendCounts[dest] = myStarts[firstBuckets[dest + 1]] - myStarts[firstBuckets[dest]]
    }
    world.alltoallInto(this.#sendCounts, this.#receiveCounts)

    const first = firstBuckets[world.rank]
    const end = firstBuckets[world.rank + 1]
    const received = this.#roomFor(starts[end] - starts[first])
    world.alltoallvInto(
      { data: this.#sorted, counts: [...this.#sendCounts] },
      { data: received, counts: [...this.#receiveCounts] },
    )
    return {
      lowest: first << this.#shift,
      end: end << this.#shift,
      keys: received,
      smaller: starts[first],
    }
  }

  /** Whole buckets are never dealt out quite evenly: more keys may come than went. */
  #roomFor(count: number): Int32Array {
    if (count > this.#received.length) {
      this.#mpi.free(this.#received)
      this.#received = this.#mpi.alloc(Int32Array, Math.ceil(count * 1.1))
    }
    return this.#received.subarray(0, count)
  }
}
