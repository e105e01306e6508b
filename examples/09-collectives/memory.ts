// Memory for the pictures, with something in it.

import type { Mpi } from '@commworld/mpi'

/**
 * Thing number `index` of a rank, told from all others: a0 and a1 are of rank 0, b0 of rank 1.
 * In memory each is 16 bits; 0 is none.
 */
export function thing(rank: number, index: number): number {
  return ((rank + 1) << 8) | index
}

/** A number whose digits say whom it is from: of 4 ranks 1000 is from rank 0, 1 from rank 3. */
export function numberOf(rank: number, size: number): number {
  return 10 ** (size - 1 - rank)
}

/** The sum of the numbers of ranks `first` to before `end`. */
export function sumOf(first: number, end: number, size: number): number {
  let sum = 0
  for (let rank = first; rank < end; rank++) sum += numberOf(rank, size)
  return sum
}

/** Registered memory; with nothing in it when only its length is given. */
export function memoryFrom({ alloc }: Mpi) {
  return {
    things(codes: readonly number[] | number): Uint16Array {
      if (typeof codes === 'number') return alloc(Uint16Array, codes)
      const memory = alloc(Uint16Array, codes.length)
      memory.set(codes)
      return memory
    },
    numbers(values: readonly number[] | number): Float64Array {
      if (typeof values === 'number') return alloc(Float64Array, values)
      const memory = alloc(Float64Array, values.length)
      memory.set(values)
      return memory
    },
  }
}

/** Fills memory and returns it. */
export function into<M>(memory: M, fill: (memory: M) => void): M {
  fill(memory)
  return memory
}
