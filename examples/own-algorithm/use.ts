import { Op, type Mpi } from '@commworld/mpi'
import { allgatherFold } from './allgather-fold.js'
import { sparbit } from './sparbit.js'

/** Does not commute: shows in which order ranks were folded. */
const JOIN = Op.create((lower: string, higher: string) => lower + higher, { name: 'JOIN' })

export default async function main({ world, alloc }: Mpi) {
  const { rank, size } = world
  const letter = String.fromCharCode(97 + rank)

  const letters = await world.iallgather(letter, { algorithm: sparbit })
  const pairs = alloc(Float64Array, 2 * size)
  await world.iallgatherInto(Float64Array.of(rank, rank ** 2), pairs, { algorithm: sparbit })
  const word = await world.iallreduce(letter, JOIN, { algorithm: allgatherFold })

  if (rank > 0) return
  console.log(`Sparbit gathers ${letters.join(' ')}, and ${pairs.join(' ')}`)
  console.log(`allgather and fold makes ${word}`)
}
