import type { RunResult } from './run-result.js'
import { linkLoads } from './link-loads.js'

const STEPS = 100

/** The run in numbers, and what links and interfaces carried: whole and in a hundred steps. */
export function linksJson(result: RunResult): string {
  const { model, timePs, card } = result
  const { topology } = model.routing
  const { loads, used } = linkLoads(result, STEPS)
  const links = used.map((link) => {
    const steps = [...loads.subarray(link * STEPS, (link + 1) * STEPS)].map(Math.round)
    return { name: topology.linkName(link), bytes: steps.reduce((a, b) => a + b, 0), steps }
  })
  const { ranks, messages, bytes, criticalPath } = result
  const run = { ranks, messages, bytes, seconds: timePs / 1e12, criticalPath }
  const facts = {
    layer: card.layer,
    ignores: card.ignores,
    notes: result.notes,
    routing: model.routing.name,
    network: model.network.name,
    ...run,
  }
  return JSON.stringify({ fabric: model.name, ...facts, steps: STEPS, links })
}
