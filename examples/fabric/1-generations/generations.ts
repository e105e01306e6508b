import type { Mpi } from '@commworld/mpi'
import { simulate } from '@commworld/mpi/simulate'
import {
  fabricModel,
  profileNamed,
  routingNamed,
  singleSwitch,
} from '@commworld/transport/simulated'
import { micro, picture, table } from '../chart.js'

const generations = ['sdr', 'ddr', 'qdr', 'fdr', 'edr', 'hdr', 'ndr', 'xdr']
const sizes = [8, 4096, 65_536, 4_194_304]

/** Two ranks throw a ball of so many bytes to each other. */
async function pingPong({ world, alloc, wtime }: Mpi, bytes: number): Promise<number> {
  const ball = alloc(Uint8Array, bytes)
  const start = wtime()
  if (world.rank === 0) {
    await world.isend(ball, { dest: 1 })
    await world.irecvInto(ball, { source: 1 })
  } else {
    await world.irecvInto(ball, { source: 0 })
    await world.isend(ball, { dest: 0 })
  }
  return wtime() - start
}

export default async function main({ args }: Mpi): Promise<void> {
  const rows = [['half a round trip', '8 B', '4 KiB', '64 KiB', '4 MiB', 'GB/s at 4 MiB']]
  const long: number[] = []
  const short: number[] = []
  for (const name of generations) {
    const routing = routingNamed(singleSwitch(2), 'd-mod-k')
    const model = fabricModel({ routing, network: profileNamed(name)! })
    const times: number[] = []
    for (const bytes of sizes) {
      const { values } = await simulate(2, (mpi) => pingPong(mpi, bytes), { model })
      times.push((values[0]! / 2) * 1e12)
    }
    short.push(times[0]! / 1e6)
    long.push(sizes[3]! / (times[3]! / 1e3))
    rows.push([name, ...times.map(micro), long.at(-1)!.toFixed(1)])
  }
  console.log(table(rows))
  picture(args, {
    title: 'What doubles, and what does not',
    labels: generations,
    unit: 'us for 8 B, GB/s at 4 MiB',
    scale: 'logarithmic',
    series: [
      { name: '8 B: microseconds', values: short },
      { name: '4 MiB: GB/s', values: long },
    ],
  })
}
