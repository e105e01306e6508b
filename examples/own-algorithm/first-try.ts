import { defineCollective, IN, OUT, type Algorithm } from '@commworld/mpi/plan'

/** Sparbit as the paper draws it, for eight ranks: what a rank has is doubled in each round. */
export const firstTry: Algorithm = defineCollective({
  collective: 'allgather',
  name: 'first-try',
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
    for (let i = 0; i < 2 ** k; i++) {
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
