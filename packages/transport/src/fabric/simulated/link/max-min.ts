/** Flows over links, for `maxMinRates`. */
export interface FlowsOverLinks {
  readonly capacity: Float64Array
  /** Links of flow f: `links[firstOf[f]]` to `links[firstOf[f + 1] - 1]`. */
  readonly firstOf: Int32Array
  readonly links: Int32Array
  /** Share of each flow relative to the others; 1 when left out. */
  readonly weight?: Float64Array
  /** No flow gets more than this; no bound when left out. */
  readonly bound?: Float64Array
  /** Links whose flows do not share: each may use all of it (a backplane that never congests). */
  readonly fatPipe?: Uint8Array
}

/**
 * Max-min fair rates by progressive filling (Bertsekas, Gallager 1992, 6.5.2): all rates grow together
 * until a link is full or a flow at its bound; those flows stay, the rest grows on. It is work
 * conserving: every flow ends at a full link or at its bound.
 */
export function maxMinRates(flows: FlowsOverLinks): Float64Array {
  const { capacity, firstOf, links, fatPipe } = flows
  const count = firstOf.length - 1
  const rates = new Float64Array(count)
  const weight = flows.weight ?? new Float64Array(count).fill(1)
  const bound = boundsOf(flows, count)
  const { flowsAt, flowsOf } = flowsByLink(flows)
  const left = capacity.slice()
  const weights = new Float64Array(capacity.length)
  for (let f = 0; f < count; f++) {
    for (let i = firstOf[f]!; i < firstOf[f + 1]!; i++) weights[links[i]!]! += weight[f]!
  }
  const active = Array.from(capacity.keys()).filter((l) => weights[l]! > 0 && !fatPipe?.[l])
  const open = Array.from({ length: count }, (_, f) => f)
  const fixed = new Uint8Array(count)
  let unfixed = count
  const fix = (f: number, rate: number): void => {
    if (fixed[f]) return
    fixed[f] = 1
    unfixed--
    rates[f] = rate
    for (let i = firstOf[f]!; i < firstOf[f + 1]!; i++) {
      const link = links[i]!
      left[link] = Math.max(0, left[link]! - rate)
      weights[link]! -= weight[f]!
    }
  }
  while (unfixed > 0) {
    let least = Infinity
    for (const link of active) {
      if (weights[link]! > EPSILON) least = Math.min(least, left[link]! / weights[link]!)
    }
    for (const f of open) if (!fixed[f]) least = Math.min(least, bound[f]! / weight[f]!)
    if (least === Infinity) {
      for (const f of open) fix(f, Infinity)
      break
    }
    const limit = least * (1 + EPSILON)
    const full = active.filter(
      (link) => weights[link]! > EPSILON && left[link]! / weights[link]! <= limit,
    )
    for (const f of open) {
      if (!fixed[f] && bound[f]! / weight[f]! <= limit) fix(f, bound[f]!)
    }
    for (const link of full) {
      for (let i = flowsAt[link]!; i < flowsAt[link + 1]!; i++) {
        const f = flowsOf[i]!
        fix(f, least * weight[f]!)
      }
    }
  }
  return rates
}

const EPSILON = 1e-12

/** A fat pipe bounds each flow by itself. */
function boundsOf({ capacity, firstOf, links, bound, fatPipe }: FlowsOverLinks, count: number) {
  const bounds = bound?.slice() ?? new Float64Array(count).fill(Infinity)
  if (fatPipe === undefined) return bounds
  for (let f = 0; f < count; f++) {
    for (let i = firstOf[f]!; i < firstOf[f + 1]!; i++) {
      const link = links[i]!
      if (fatPipe[link]) bounds[f] = Math.min(bounds[f]!, capacity[link]!)
    }
  }
  return bounds
}

function flowsByLink({ capacity, firstOf, links }: FlowsOverLinks) {
  const flowsAt = new Int32Array(capacity.length + 1)
  for (const link of links) flowsAt[link + 1]!++
  for (let l = 0; l < capacity.length; l++) flowsAt[l + 1]! += flowsAt[l]!
  const flowsOf = new Int32Array(links.length)
  const end = flowsAt.slice()
  for (let f = 0; f + 1 < firstOf.length; f++) {
    for (let i = firstOf[f]!; i < firstOf[f + 1]!; i++) flowsOf[end[links[i]!]!++] = f
  }
  return { flowsAt, flowsOf }
}
