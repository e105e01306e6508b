import { Op, type Mpi } from '@commworld/mpi'
import { letterOf, type Sheet } from './sheet.js'

/** Joining texts shows who took part in a reduction, and in which order. */
const JOIN = Op.create((lower: string, higher: string) => lower + higher, { name: 'JOIN' })

// Values go in and values come out. The root is rank 0 if nobody says otherwise.
export function showValues({ world }: Mpi, sheet: Sheet) {
  const { rank, size } = world
  const isRoot = rank === 0
  const mine = letterOf(rank)
  const letters = Array.from({ length: size }, (_, other) => letterOf(other))
  /** Something from here for every rank: b0 is from rank 1 for rank 0. */
  const parcels = letters.map((_, to) => `${mine}${to}`)
  const parcelsToMe = letters.map((from) => `${from}${rank}`)

  sheet.show('bcast', isRoot ? 'a' : undefined, (value) => world.bcast(value), 'a')
  sheet.show('scatter', isRoot ? letters : undefined, (values) => world.scatter(values), mine)
  sheet.show('gather', mine, (value) => world.gather(value), isRoot ? letters : undefined)
  sheet.show('allgather', mine, (value) => world.allgather(value), letters)
  sheet.show('alltoall', parcels, (values) => world.alltoall(values), parcelsToMe)
  sheet.print('Values: who has what before and after.')

  // A reduction makes one thing of what all ranks have.
  const all = letters.join('')
  sheet.show('reduce', mine, (value) => world.reduce(value, JOIN), isRoot ? all : undefined)
  sheet.show('allreduce', mine, (value) => world.allreduce(value, JOIN), all)
  sheet.show('scan', mine, (value) => world.scan(value, JOIN), all.slice(0, rank + 1))
  sheet.show('exscan', mine, (value) => world.exscan(value, JOIN), all.slice(0, rank))
  const joined = parcelsToMe.join('')
  sheet.show('reduceScatter', parcels, (values) => world.reduceScatter(values, JOIN), joined)
  sheet.print('Reductions of values; the operation joins texts.')
}
