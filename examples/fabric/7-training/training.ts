import type { Mpi } from '@commworld/mpi'
import { simulateCollective } from '@commworld/mpi/simulate'
import {
  fabricModel,
  fatTree,
  fromGpuMemory,
  profileNamed,
  routingNamed,
} from '@commworld/transport/simulated'
import { picture, table } from '../chart.js'

/** Gradients of 25 million parameters, four bytes each, and a step of computing. */
const gradientBytes = 100e6
const computeMs = 100
const nodes = [8, 32, 128, 512, 1024]
const hdr = profileNamed('hdr')!
const networks = [
  { name: 'GPUDirect', network: fromGpuMemory(hdr, { direct: true, fastCopy: true }) },
  { name: 'by host memory', network: fromGpuMemory(hdr, { direct: false, fastCopy: true }) },
]

/** One step of data-parallel training: compute, then allreduce all gradients round a ring. */
export default function main({ args }: Mpi): void {
  const series = networks.map(({ name, network }) => ({
    name,
    values: nodes.map((ranks) => {
      const topology = fatTree({ children: [32, 32], parents: [1, 32] })
      const model = fabricModel({ routing: routingNamed(topology, 'd-mod-k'), network })
      const bytes = Math.ceil(gradientBytes / 8) * 8
      const request = { collective: 'allreduce', algorithm: 'ring', ranks, bytes, model } as const
      return simulateCollective({ ...request, path: false }).timePs / 1e9
    }),
  }))
  const efficiency = (ms: number): string => `${Math.round((100 * computeMs) / (computeMs + ms))} %`
  console.log(
    table([
      ['nodes', ...nodes.map(String)],
      ...series.map(({ name, values }) => [name, ...values.map((ms) => `${ms.toFixed(1)} ms`)]),
      ...series.map(({ name, values }) => [`  efficiency, ${name}`, ...values.map(efficiency)]),
    ]),
  )
  picture(args, {
    title: 'Allreduce of 100 MB of gradients',
    labels: nodes.map(String),
    unit: 'ms, by nodes',
    series,
  })
}
