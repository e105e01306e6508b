import type { Mpi } from '@commworld/mpi'
import { kAryNTree, patternRates, routingNamed, torus } from '@commworld/transport/simulated'
import { picture, table } from '../chart.js'

const tree = kAryNTree({ k: 8, n: 2 })
const grid = torus({ dimensions: [8, 8] })
const fabrics = [
  { name: 'fat tree', routing: routingNamed(tree, 'd-mod-k') },
  { name: 'torus', routing: routingNamed(grid, 'dimension-order') },
]
const distances = [1, 4, 8, 9, 27, 32]

/** Host i sends to host i + d, all 64 at once: what each gets of a link, in the worst case. */
export default function main({ args }: Mpi): void {
  const series = fabrics.map(({ name, routing }) => ({
    name,
    values: distances.map((distance) => {
      const pairs = Array.from({ length: 64 }, (_, host) => [host, (host + distance) % 64] as const)
      return Math.min(...patternRates(routing, pairs).rates)
    }),
  }))
  console.log(
    table([
      ['everybody sends this far', ...distances.map(String)],
      ...series.map(({ name, values }) => [
        name,
        ...values.map((rate) => `${Math.round(100 * rate)} %`),
      ]),
    ]),
  )
  picture(args, {
    title: 'The worst of 64 pairs, by how far everybody sends',
    labels: distances.map(String),
    unit: 'share of a link',
    series,
  })
}
