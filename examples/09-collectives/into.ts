import { SUM, type Mpi } from '@commworld/mpi'
import { into, memoryFrom, numberOf, sumOf, thing } from './memory.js'
import type { Sheet } from './sheet.js'

// The `Into` forms read from one array and write into another one, both yours. Where every rank has
// a block for every rank, the blocks are of one length and lie in the order of the ranks.
export function showInto(mpi: Mpi, sheet: Sheet) {
  const { world } = mpi
  const { rank, size } = world
  const { things, numbers } = memoryFrom(mpi)
  const isRoot = rank === 0
  const ranks = Array.from({ length: size }, (_, other) => other)
  const firstOfRoot = [thing(0, 0), thing(0, 1)]
  const oneOfEach = ranks.map((other) => thing(other, 0))
  const parcels = ranks.map((to) => thing(rank, to))
  const parcelsToMe = ranks.map((from) => thing(from, rank))

  sheet.show(
    'bcastInto',
    things(isRoot ? firstOfRoot : 2),
    (memory) => into(memory, () => world.bcastInto(memory)),
    things(firstOfRoot),
  )
  sheet.show(
    'scatterInto',
    isRoot ? things(oneOfEach) : undefined,
    (send) => into(things(1), (recv) => world.scatterInto(send, recv)),
    things([thing(rank, 0)]),
  )
  sheet.show(
    'gatherInto',
    things([thing(rank, 0)]),
    (send) => into(isRoot ? things(size) : undefined, (recv) => world.gatherInto(send, recv)),
    isRoot ? things(oneOfEach) : undefined,
  )
  sheet.show(
    'allgatherInto',
    things([thing(rank, 0)]),
    (send) => into(things(size), (recv) => world.allgatherInto(send, recv)),
    things(oneOfEach),
  )
  sheet.show(
    'alltoallInto',
    things(parcels),
    (send) => into(things(size), (recv) => world.alltoallInto(send, recv)),
    things(parcelsToMe),
  )
  sheet.print('Memory: the same with arrays.')

  // Element by element. The digits of a sum tell whose numbers are in it.
  const mine = numberOf(rank, size)
  const sum = sumOf(0, size, size)
  const pair = [mine, 2 * mine]
  const sums = [sum, 2 * sum]
  sheet.show(
    'reduceInto',
    numbers(pair),
    (send) => into(isRoot ? numbers(2) : undefined, (recv) => world.reduceInto(send, recv, SUM)),
    isRoot ? numbers(sums) : undefined,
  )
  sheet.show(
    'allreduceInto',
    numbers(pair),
    (send) => into(numbers(2), (recv) => world.allreduceInto(send, recv, SUM)),
    numbers(sums),
  )
  sheet.show(
    'scanInto',
    numbers(pair),
    (send) => into(numbers(2), (recv) => world.scanInto(send, recv, SUM)),
    numbers(pair.map((_, index) => (index + 1) * sumOf(0, rank + 1, size))),
  )
  sheet.show(
    'exscanInto',
    numbers(pair),
    (send) => into(numbers(2), (recv) => world.exscanInto(send, recv, SUM)),
    numbers(pair.map((_, index) => (index + 1) * sumOf(0, rank, size))),
  )
  sheet.show(
    'reduceScatterBlockInto',
    numbers(ranks.map((block) => (block + 1) * mine)),
    (send) => into(numbers(1), (recv) => world.reduceScatterBlockInto(send, recv, SUM)),
    numbers([(rank + 1) * sum]),
  )
  sheet.print('Reductions of memory; the operation is SUM.')
}
