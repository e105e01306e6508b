import type { Mpi } from '@commworld/mpi'
import { kAryNTree, patternRates, routingNamed } from '@commworld/transport/simulated'
import { picture, table } from '../chart.js'

const routings = ['hash', 'd-mod-k', 'adaptive', 'adaptive-global'] as const
const topology = kAryNTree({ k: 16, n: 2 })
const trials = 50

/** A permutation of hosts by a generator with a fixed seed (Fisher and Yates; xorshift of Marsaglia). */
function permutation(length: number, seed: number): number[] {
  let state = seed * 2_654_435_761 + 1
  const below = (limit: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
  const order = Array.from({ length }, (_, i) => i)
  for (let i = length - 1; i > 0; i--) {
    const j = below(i + 1)
    ;[order[i], order[j]] = [order[j]!, order[i]!]
  }
  return order
}

/** 256 hosts of a full fat tree send to each other in pairs; what do they get of a link? */
export default function main({ args }: Mpi): void {
  const shift = Array.from({ length: 256 }, (_, host) => (host + 16) % 256)
  const rows = routings.map((name) => {
    const ofShift = rateOf(name, shift, 0)
    let sum = 0
    for (let trial = 1; trial <= trials; trial++)
      sum += rateOf(name, permutation(256, trial), trial)
    return { name, values: [ofShift, sum / trials] }
  })
  console.log(
    table([
      ['mean share of a link', 'shift by a leaf', 'random permutation'],
      ...rows.map(({ name, values }) => [
        name,
        ...values.map((rate) => `${Math.round(100 * rate)} %`),
      ]),
    ]),
  )
  picture(args, {
    title: 'Static and adaptive routing',
    labels: ['shift by a leaf', 'random permutation'],
    unit: 'mean share of a link',
    series: rows,
  })
}

function rateOf(name: (typeof routings)[number], to: readonly number[], seed: number): number {
  const pairs = to.map((dest, source) => [source, dest] as const)
  const moving = pairs.filter(([source, dest]) => source !== dest)
  return patternRates(routingNamed(topology, name, seed), moving).mean
}
