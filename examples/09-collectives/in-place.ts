import { IN_PLACE, SUM, type Mpi } from '@commworld/mpi'
import { into, memoryFrom, numberOf, sumOf, thing } from './memory.js'
import type { Sheet } from './sheet.js'

// In place: what a rank gives lies already where what it gets will lie, so that one array is enough.
// Where only the root sends and receives at once, only the root says so.
export function showInPlace(mpi: Mpi, sheet: Sheet) {
  const { world } = mpi
  const { rank, size } = world
  const { things, numbers } = memoryFrom(mpi)
  const isRoot = rank === 0
  const ranks = Array.from({ length: size }, (_, other) => other)
  const oneOfEach = ranks.map((other) => thing(other, 0))
  const onlyMine = ranks.map((other) => (other === rank ? thing(rank, 0) : 0))

  sheet.show(
    'scatterInto',
    things(isRoot ? oneOfEach : 1),
    (memory) =>
      into(memory, () =>
        isRoot ? world.scatterInto(memory, IN_PLACE) : world.scatterInto(undefined, memory),
      ),
    things(isRoot ? oneOfEach : [thing(rank, 0)]),
  )
  sheet.show(
    'gatherInto',
    things(isRoot ? onlyMine : [thing(rank, 0)]),
    (memory) =>
      into(memory, () =>
        isRoot ? world.gatherInto(IN_PLACE, memory) : world.gatherInto(memory, undefined),
      ),
    things(isRoot ? oneOfEach : [thing(rank, 0)]),
  )
  sheet.show(
    'allgatherInto',
    things(onlyMine),
    (memory) => into(memory, () => world.allgatherInto(IN_PLACE, memory)),
    things(oneOfEach),
  )
  sheet.show(
    'alltoallInto',
    things(ranks.map((to) => thing(rank, to))),
    (memory) => into(memory, () => world.alltoallInto(IN_PLACE, memory)),
    things(ranks.map((from) => thing(from, rank))),
  )

  const mine = numberOf(rank, size)
  const sum = sumOf(0, size, size)
  sheet.show(
    'reduceInto',
    numbers([mine]),
    (memory) =>
      into(memory, () =>
        isRoot ? world.reduceInto(IN_PLACE, memory, SUM) : world.reduceInto(memory, undefined, SUM),
      ),
    numbers([isRoot ? sum : mine]),
  )
  sheet.show(
    'allreduceInto',
    numbers([mine]),
    (memory) => into(memory, () => world.allreduceInto(IN_PLACE, memory, SUM)),
    numbers([sum]),
  )
  sheet.show(
    'scanInto',
    numbers([mine]),
    (memory) => into(memory, () => world.scanInto(IN_PLACE, memory, SUM)),
    numbers([sumOf(0, rank + 1, size)]),
  )
  sheet.print('In place.')
}
