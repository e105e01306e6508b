import { Op, type Mpi } from '@commworld/mpi'

/** Shows by which tree ranks were folded, and so which algorithm it was. */
const BRACKET = Op.create((lower: string, higher: string) => `(${lower}${higher})`, {
  commutative: false,
  name: 'BRACKET',
})

export default async function main({ world }: Mpi) {
  const tree = await world.iallreduce(String(world.rank), BRACKET)
  if (world.rank === 0) console.log(tree)
  return tree
}
