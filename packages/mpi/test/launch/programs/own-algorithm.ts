import { collectiveAlgorithms, type Mpi } from '@commworld/mpi'
import * as plan from '@commworld/mpi/plan'

const { defineCollective, IN, OUT } = plan

/** Everybody sends to everybody; with `out of range` one rank too far. */
const mine = (reach: number) =>
  defineCollective({
    collective: 'allgather',
    name: 'mine',
    title: 'mine',
    source: 'this test',
    use: 'never',
    cost: '1 round',
    rounds: () => 1,
    volume: ({ size }) => size - 1,
    round(_, { size, rank }, emit) {
      emit.copy(IN, 0, OUT, rank)
      for (let peer = 0; peer < size + reach; peer++) {
        if (peer === rank) continue
        emit.receive(peer, OUT, peer)
        emit.send(peer, OUT, rank)
      }
    },
  })

export default async function main({ world, args }: Mpi) {
  const algorithm = mine(args[0] === 'wrong' ? 1 : 0)
  const violation = plan.checkAlgorithm(algorithm, { ranks: [1, 2, 3] })
  const ranks = await world.iallgather(world.rank, { algorithm })
  const one = plan.collectiveAlgorithms === collectiveAlgorithms
  return { violation: violation?.text, ranks, one }
}
