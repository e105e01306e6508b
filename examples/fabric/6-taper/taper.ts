import type { Mpi } from '@commworld/mpi'
import { simulateCollective } from '@commworld/mpi/simulate'
import { fabricModel, fatTree, profileNamed, routingNamed } from '@commworld/transport/simulated'
import { micro, picture, table } from '../chart.js'

const spines = [8, 4, 2]
const network = profileNamed('hdr')!
const calls = [
  { name: 'alltoall, 64 KiB a pair', collective: 'alltoall', algorithm: 'pairwise', bytes: 65_536 },
  { name: 'allreduce, 4 MiB, ring', collective: 'allreduce', algorithm: 'ring', bytes: 4_194_304 },
] as const

/** 64 hosts at 8 leaves, with fewer and fewer spines above them. */
export default function main({ args }: Mpi): void {
  const series = calls.map(({ name, ...call }) => ({
    name,
    values: spines.map((count) => {
      const topology = fatTree({ children: [8, 8], parents: [1, count] })
      const routing = routingNamed(topology, 'd-mod-k')
      const model = fabricModel({ routing, network, layer: 2 })
      return simulateCollective({ ...call, ranks: 64, model }).timePs
    }),
  }))
  console.log(
    table([
      ['64 hosts', ...spines.map((count) => `${8 / count}:1 (${count} spines)`)],
      ...series.map(({ name, values }) => [name, ...values.map(micro)]),
    ]),
  )
  picture(args, {
    title: 'The cost of fewer spines',
    labels: spines.map((count) => `${8 / count}:1`),
    unit: 'times as long as with all of them',
    series: series.map(({ name, values }) => ({
      name,
      values: values.map((ps) => ps / values[0]!),
    })),
  })
}
