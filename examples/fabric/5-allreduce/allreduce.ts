import type { Mpi } from '@commworld/mpi'
import { simulateCollective } from '@commworld/mpi/simulate'
import { fabricModel, kAryNTree, profileNamed, routingNamed } from '@commworld/transport/simulated'
import { micro, picture, table } from '../chart.js'

const algorithms = ['recursive-doubling', 'rabenseifner', 'ring']
const sizes = [8, 1024, 16_384, 262_144, 4_194_304]
const routing = routingNamed(kAryNTree({ k: 8, n: 2 }), 'd-mod-k')
const model = fabricModel({ routing, network: profileNamed('hdr')!, layer: 2 })

/** 64 hosts add up vectors; few long steps, or many short ones? */
export default function main({ args }: Mpi): void {
  const series = algorithms.map((algorithm) => ({
    name: algorithm,
    values: sizes.map((bytes) => {
      const request = { collective: 'allreduce', ranks: 64, bytes, algorithm, model } as const
      return simulateCollective(request).timePs
    }),
  }))
  const winners = sizes.map((_, i) => {
    const best = Math.min(...series.map(({ values }) => values[i]!))
    return series.find(({ values }) => values[i] === best)!.name
  })
  console.log(
    table([
      ['bytes', ...algorithms, 'the quickest'],
      ...sizes.map((bytes, i) => [
        String(bytes),
        ...series.map(({ values }) => micro(values[i]!)),
        winners[i]!,
      ]),
    ]),
  )
  picture(args, {
    title: 'Allreduce on 64 hosts, HDR',
    labels: sizes.map(String),
    unit: 'us, by bytes',
    scale: 'logarithmic',
    series: series.map(({ name, values }) => ({ name, values: values.map((ps) => ps / 1e6) })),
  })
}
