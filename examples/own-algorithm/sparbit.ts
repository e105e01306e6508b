import { defineCollective, IN, OUT, type Algorithm } from '@commworld/mpi/plan'

/**
 * In each round a rank takes from the one a distance below it, modulo p, blocks that lie twice that
 * distance apart. Then the distance is halved: what both have now lies one distance apart.
 *
 * ```
 *   p = 5, blocks a b c d e     start         0: a....   1: .b...   2: ..c..   3: ...d.   4: ....e
 *                               4 from here   0: ab...   1: .bc..   2: ..cd.   3: ...de   4: a...e
 *                               2 from here   0: ab.d.   1: .bc.e   2: a.cd.   3: .b.de   4: a.c.e
 *                               1 from here   all: abcde
 * ```
 */
export const sparbit: Algorithm = defineCollective({
  collective: 'allgather',
  name: 'sparbit',
  title: 'Sparbit',
  source: 'Loch, Koslovski 2021',
  use: 'any number of ranks, when neighbours are near each other',
  cost: 'ceil(log2 p) rounds, (p - 1) b',
  rounds: ({ size }) => Math.max(1, Math.ceil(Math.log2(size))),
  volume: ({ size }) => size - 1,
  round(k, { size, rank }, emit) {
    if (k === 0) emit.copy(IN, 0, OUT, rank)
    if (size === 1) return
    const distance = 2 ** (Math.ceil(Math.log2(size)) - 1 - k)
    const held = Math.ceil(size / (2 * distance))
    const wanted = Math.ceil(size / distance)
    for (let i = 0; i < wanted - held; i++) {
      const given = modulo(rank - 2 * i * distance, size)
      const taken = modulo(given - distance, size)
      emit.receive(modulo(rank - distance, size), OUT, taken)
      emit.send(modulo(rank + distance, size), OUT, given)
    }
  },
})

/** In JavaScript -1 % 5 is -1; here it is 4. */
function modulo(number: number, size: number): number {
  return ((number % size) + size) % size
}
