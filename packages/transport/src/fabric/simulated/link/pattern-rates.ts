import type { Routing } from '../routing/routing.js'
import { maxMinRates } from './max-min.js'

/** How much of the rate of a link each pair of a pattern gets. */
export interface PatternRates {
  /** Max-min fair share of each pair. */
  readonly rates: Float64Array
  /** 1 over the largest number of pairs on a link of its way: not work conserving, but often published. */
  readonly congestionRates: Float64Array
  /** Mean of `rates`. */
  readonly mean: number
  readonly meanByCongestion: number
  /** Pairs on each link. */
  readonly load: Int32Array
}

/**
 * All pairs of hosts at once, each with a message without end, on links of equal rate: what a pattern
 * of communication gets from a topology and its routing. Adaptive routing takes the pairs in turn.
 */
export function patternRates(
  routing: Routing,
  pairs: readonly (readonly [source: number, dest: number])[],
): PatternRates {
  const load = new Int32Array(routing.topology.links)
  const links: number[] = []
  const firstOf = new Int32Array(pairs.length + 1)
  const path = new Int32Array(routing.linksMax)
  const seen = { loadOf: (link: number) => load[link]! }
  pairs.forEach(([source, dest], pair) => {
    const length = routing.route(source, dest, path, seen)
    if (length < 0) throw new RangeError(`host ${source} does not reach host ${dest}`)
    for (let i = 0; i < length; i++) {
      links.push(path[i]!)
      load[path[i]!]!++
    }
    firstOf[pair + 1] = links.length
  })
  const capacity = new Float64Array(routing.topology.links).fill(1)
  const rates = maxMinRates({ capacity, firstOf, links: Int32Array.from(links) })
  const congestionRates = new Float64Array(pairs.length)
  for (let pair = 0; pair < pairs.length; pair++) {
    let most = 1
    for (let i = firstOf[pair]!; i < firstOf[pair + 1]!; i++)
      most = Math.max(most, load[links[i]!]!)
    congestionRates[pair] = 1 / most
  }
  return {
    rates,
    congestionRates,
    mean: mean(rates),
    meanByCongestion: mean(congestionRates),
    load,
  }
}

function mean(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value
  return values.length === 0 ? 0 : sum / values.length
}
