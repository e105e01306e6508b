import { MAX, SUM, type Mpi } from '@commworld/mpi'
import { memoryFrom, numberOf, sumOf, thing } from './memory.js'
import { letterOf, type Sheet } from './sheet.js'

// The i-forms start a collective and return at once. All ranks start them in the same order; they may
// be waited for in any, and what is computed meanwhile costs no waiting.
export function showAtOnce(mpi: Mpi, sheet: Sheet) {
  const { world } = mpi
  const { rank, size } = world
  const { things, numbers } = memoryFrom(mpi)
  const ranks = Array.from({ length: size }, (_, other) => other)
  const value = rank === 0 ? letterOf(0) : undefined
  const mine = things([thing(rank, 0)])
  const ofAll = things(size)
  const parcels = things(ranks.map((to) => thing(rank, to)))
  const parcelsToMe = things(size)
  const number = numberOf(rank, size)
  const sums = numbers(1)

  const broadcast = world.ibcast(value)
  const gathered = world.iallgatherInto(mine, ofAll)
  const exchanged = world.ialltoallInto(parcels, parcelsToMe)
  const largest = world.iallreduce(number, MAX)
  const summed = world.iscanInto(numbers([number]), sums, SUM)
  const allHere = world.ibarrier()

  // Last in, first out: the order of waiting is free.
  allHere.wait()
  const sumsUpToMe = numbers([sumOf(0, rank + 1, size)])
  sheet.show('iscanInto', number, () => (summed.wait(), sums), sumsUpToMe)
  sheet.show('iallreduce', number, () => largest.wait(), numberOf(0, size))
  const expected = things(ranks.map((from) => thing(from, rank)))
  sheet.show('ialltoallInto', parcels, () => (exchanged.wait(), parcelsToMe), expected)
  const oneOfEach = things(ranks.map((other) => thing(other, 0)))
  sheet.show('iallgatherInto', mine, () => (gathered.wait(), ofAll), oneOfEach)
  sheet.show('ibcast', value, () => broadcast.wait(), letterOf(0))
  sheet.print('All at once; the operations are SUM and MAX.')
}
