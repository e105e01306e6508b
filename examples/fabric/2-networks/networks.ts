import type { Mpi } from '@commworld/mpi'
import { simulateCollective } from '@commworld/mpi/simulate'
import {
  fabricModel,
  profileNamed,
  routingNamed,
  singleSwitch,
} from '@commworld/transport/simulated'
import { micro, picture, table } from '../chart.js'

const networks = ['hdr', 'edr', 'roce-100', 'tcp-10']
const sizes = [8, 65_536, 1_048_576]

/** An allreduce round a ring of 16 hosts: 30 steps, each as slow as its slowest message. */
export default function main({ args }: Mpi): void {
  const series = networks.map((name) => {
    const routing = routingNamed(singleSwitch(16), 'd-mod-k')
    const model = fabricModel({ routing, network: profileNamed(name)! })
    const runs = sizes.map((bytes) =>
      simulateCollective({ collective: 'allreduce', algorithm: 'ring', ranks: 16, bytes, model }),
    )
    return { name, runs, values: runs.map(({ timePs }) => timePs / 1e6) }
  })
  console.log(
    table([
      ['ring of 16', '8 B', '64 KiB', '1 MiB', 'of 1 MiB: overhead', 'latency', 'transfer'],
      ...series.map(({ name, runs }) => {
        const { criticalPath, timePs } = runs[2]!
        const parts = [criticalPath.overhead, criticalPath.latency, criticalPath.transfer]
        const shares = parts.map((part) => `${Math.round((100 * part) / timePs)} %`)
        return [name, ...runs.map((run) => micro(run.timePs)), ...shares]
      }),
    ]),
  )
  picture(args, {
    title: 'The same ring on four networks',
    labels: ['8 B', '64 KiB', '1 MiB'],
    unit: 'us',
    scale: 'logarithmic',
    series,
  })
}
