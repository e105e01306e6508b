// Messages a second of collectives in virtual time, straight from their round functions.
//
// Time is that of the processor, so that other work on the machine counts less.
//
// Usage: node benchmarks/fabric/collectives.mjs [ranks]

import { simulateCollective } from '@commworld/mpi/simulate'
import { fabricModel, fatTree, profileNamed, routingNamed } from '@commworld/transport/simulated'

const RANKS = Number(process.argv[2] ?? 65_536)

function modelFor(ranks, layer) {
  // Switches with 64 ports, two levels up to 2048 hosts and three beyond.
  const children = ranks <= 2048 ? [32, Math.ceil(ranks / 32)] : [32, 32, Math.ceil(ranks / 1024)]
  const topology = fatTree({ children, parents: children.map((_, i) => (i === 0 ? 1 : 32)) })
  return fabricModel({
    routing: routingNamed(topology, 'd-mod-k'),
    network: profileNamed('hdr'),
    layer,
  })
}

const cases = [
  { collective: 'allreduce', algorithm: 'recursive-doubling', ranks: RANKS, bytes: 8, layer: 1 },
  {
    collective: 'allreduce',
    algorithm: 'recursive-doubling',
    ranks: RANKS / 8,
    bytes: 8,
    layer: 2,
  },
  { collective: 'barrier', algorithm: 'dissemination', ranks: RANKS, bytes: 0, layer: 1 },
  { collective: 'bcast', algorithm: 'binomial-tree', ranks: RANKS, bytes: 4096, layer: 1 },
  { collective: 'alltoall', algorithm: 'pairwise', ranks: 1024, bytes: 8, layer: 1 },
  { collective: 'allreduce', algorithm: 'ring', ranks: 512, bytes: 2 ** 20, layer: 1 },
  { collective: 'allreduce', algorithm: 'ring', ranks: 512, bytes: 2 ** 20, layer: 2 },
]

console.log(
  'collective  algorithm            ranks  layer  messages    cpu s    messages/s   bytes/rank',
)
for (const { layer, ...request } of cases) {
  globalThis.gc?.()
  const before = process.memoryUsage()
  const model = modelFor(request.ranks, layer)
  const start = process.cpuUsage()
  const result = simulateCollective({ ...request, model, path: false })
  const { user, system } = process.cpuUsage(start)
  const seconds = (user + system) / 1e6
  const after = process.memoryUsage()
  const grown = after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed
  console.log(
    [
      request.collective.padEnd(11),
      request.algorithm.padEnd(19),
      String(request.ranks).padStart(6),
      String(layer).padStart(6),
      String(result.messages).padStart(9),
      seconds.toFixed(3).padStart(9),
      (result.messages / seconds / 1e6).toFixed(2).padStart(10) + ' M',
      Math.round(grown / request.ranks)
        .toString()
        .padStart(12),
      `  ${(result.timePs / 1e6).toFixed(2)} us`,
    ].join(' '),
  )
}
