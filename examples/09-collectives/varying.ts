import { SUM, type Mpi } from '@commworld/mpi'
import { into, memoryFrom, numberOf, sumOf, thing } from './memory.js'
import type { Sheet } from './sheet.js'

// The v-forms: blocks may be of different lengths, and of none. Where memory is cut into blocks, `counts`
// say how long each is, and they follow one another unless `displacements` say where each begins.
export function showVarying(mpi: Mpi, sheet: Sheet) {
  const { world } = mpi
  const { rank, size } = world
  const { things, numbers } = memoryFrom(mpi)
  const isRoot = rank === 0
  const ranks = Array.from({ length: size }, (_, other) => other)
  /** 1, 2 or no things of a rank. */
  const counts = ranks.map((other) => (other + 1) % 3)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const thingsOf = (other: number) =>
    Array.from({ length: counts[other] }, (_, index) => thing(other, index))
  const thingsOfAll = ranks.flatMap(thingsOf)

  sheet.show(
    'scattervInto',
    isRoot ? things(thingsOfAll) : undefined,
    (send) =>
      into(things(counts[rank]), (recv) =>
        world.scattervInto(send && { data: send, counts }, recv),
      ),
    things(thingsOf(rank)),
  )
  sheet.show(
    'gathervInto',
    things(thingsOf(rank)),
    (send) =>
      into(isRoot ? things(total) : undefined, (recv) =>
        world.gathervInto(send, recv && { data: recv, counts }),
      ),
    isRoot ? things(thingsOfAll) : undefined,
  )
  sheet.show(
    'allgathervInto',
    things(thingsOf(rank)),
    (send) => into(things(total), (recv) => world.allgathervInto(send, { data: recv, counts })),
    things(thingsOfAll),
  )

  // A place for two things of each rank, whether it has as many or not.
  const displacements = ranks.map((other) => 2 * other)
  const placed = things(2 * size)
  for (const other of ranks) placed.set(thingsOf(other), displacements[other])
  sheet.show(
    'gathervInto with displacements',
    things(thingsOf(rank)),
    (send) =>
      into(isRoot ? things(2 * size) : undefined, (recv) =>
        world.gathervInto(send, recv && { data: recv, counts, displacements }),
      ),
    isRoot ? placed : undefined,
  )

  // Each thing is named after the rank it is for.
  const countBetween = (from: number, to: number) => (from + 2 * to) % 3
  const parcel = (from: number, to: number) =>
    new Array<number>(countBetween(from, to)).fill(thing(from, to))
  const sendCounts = ranks.map((to) => countBetween(rank, to))
  const recvCounts = ranks.map((from) => countBetween(from, rank))
  const received = ranks.flatMap((from) => parcel(from, rank))
  sheet.show(
    'alltoallvInto',
    things(ranks.flatMap((to) => parcel(rank, to))),
    (send) =>
      into(things(received.length), (recv) =>
        world.alltoallvInto({ data: send, counts: sendCounts }, { data: recv, counts: recvCounts }),
      ),
    things(received),
  )

  const blocks = ranks.map((other) => new Array<number>(counts[other]).fill(other + 1))
  sheet.show(
    'reduceScatterInto',
    numbers(blocks.flat().map((factor) => factor * numberOf(rank, size))),
    (send) =>
      into(numbers(counts[rank]), (recv) =>
        world.reduceScatterInto({ data: send, counts }, recv, SUM),
      ),
    numbers(blocks[rank].map((factor) => factor * sumOf(0, size, size))),
  )
  sheet.print('Blocks of different lengths.')
}
