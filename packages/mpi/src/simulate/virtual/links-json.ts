import type { RunResult } from './run-result.js'
import { linkLoads } from './link-loads.js'

const STEPS = 100

/** What links and interfaces carried, whole and in a hundred steps of the run. */
export function linksJson(result: RunResult): string {
  const { model, timePs, card } = result
  const { topology } = model.routing
  const { loads, used } = linkLoads(result, STEPS)
  const links = used.map((link) => {
    const steps = [...loads.subarray(link * STEPS, (link + 1) * STEPS)].map(Math.round)
    return { name: topology.linkName(link), bytes: steps.reduce((a, b) => a + b, 0), steps }
  })
  const facts = { layer: card.layer, ignores: card.ignores, seconds: timePs / 1e12 }
  return JSON.stringify({ fabric: model.name, ...facts, steps: STEPS, links })
}
