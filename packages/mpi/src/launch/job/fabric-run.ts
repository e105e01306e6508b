import { writeFileSync } from 'node:fs'
import { fabricModel, formatDuration, loadFabric } from '@commworld/transport/simulated'
import { linksJson } from '../../simulate/virtual/links-json.js'
import { type RunResult, resultOf } from '../../simulate/virtual/run-result.js'
import { runText } from '../../simulate/virtual/run-text.js'
import { VirtualWorld } from '../../simulate/virtual/virtual-world.js'
import type { FabricRequest } from './job-request.js'
import { reportPage } from './report-page.js'

/** A job that takes longer than this tells how far it has come, and again after each. */
const PROGRESS_MS = 5000

/** A job in virtual time. */
export interface FabricRun {
  readonly world: VirtualWorld
  /** All programs have returned: writes what was asked for. @returns what is to be told */
  finish(): string | undefined
}

/** @throws ImportError, TopologyError, SimulationError */
export function openFabric(request: FabricRequest, ranks: number): FabricRun {
  const { file, ranksPerHost, placement, links, report, goal, digest } = request
  const model = fabricModel({
    ...loadFabric(file),
    ...(ranksPerHost !== undefined && { ranksPerHost }),
    ...(placement !== undefined && { placement }),
  })
  const record = links !== undefined || report !== undefined
  const world = new VirtualWorld({
    model,
    ranks,
    digest,
    record,
    goal: goal !== undefined,
    onProgress: progress(),
  })
  return {
    world,
    finish() {
      const result = resultOf(world)
      const written: string[] = []
      const write = (path: string, text: string): void => {
        writeFileSync(path, text)
        written.push(`written: ${path}`)
      }
      if (links !== undefined) write(links, linksJson(result))
      if (report !== undefined) write(report, reportPage(result, titleOf(result)))
      if (goal !== undefined) write(goal, world.kernel.goal!.text)
      if (request.quiet === true) return undefined
      return [runText(result), ...written].join('\n')
    },
  }
}

function titleOf({ ranks, model }: RunResult): string {
  return `${ranks} ranks on ${model.name}`
}

function progress(): (nowPs: number) => void {
  let due = performance.now() + PROGRESS_MS
  return (nowPs) => {
    if (performance.now() < due) return
    due = performance.now() + PROGRESS_MS
    process.stderr.write(`virtual time ${formatDuration(nowPs)}\n`)
  }
}
