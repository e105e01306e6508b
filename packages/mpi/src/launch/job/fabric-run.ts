import { writeFileSync } from 'node:fs'
import { fabricModel, formatDuration, PS_PER_S } from '@commworld/transport/simulated'
import { fabricNamed } from '../../simulate/usual-fabric.js'
import { linksJson } from '../../simulate/virtual/links-json.js'
import { type EndedRun, type RunResult, resultOf } from '../../simulate/virtual/run-result.js'
import { runText } from '../../simulate/virtual/run-text.js'
import { VirtualWorld } from '../../simulate/virtual/virtual-world.js'
import { waitWords } from '../output/wait-words.js'
import type { FabricRequest } from './job-request.js'
import { reportPage } from './report-page.js'

/** A job that takes longer than this tells how far it has come, and again after each. */
const PROGRESS_MS = 5000

/** A job in virtual time. */
export interface FabricRun {
  readonly world: VirtualWorld
  /** To be called now and then. */
  onProgress(nowPs: number): void
  /**
   * All programs have returned: writes what was asked for.
   *
   * @param endpoints of the ranks; those that the world has made when left out
   * @returns what is to be told
   */
  finish(endpoints?: EndedRun['endpoints']): string | undefined
}

/**
 * @param tell is told how far a long run has come
 * @throws ImportError, TopologyError, SimulationError
 */
export function openFabric(
  request: FabricRequest,
  ranks: number,
  tell: (text: string) => void,
): FabricRun {
  const { file, ranksPerHost, placement, links, report, goal, digest } = request
  const model = fabricModel({
    ...fabricNamed(file, Math.ceil(ranks / (ranksPerHost ?? 1))),
    ...(ranksPerHost !== undefined && { ranksPerHost }),
    ...(placement !== undefined && { placement }),
  })
  const record = links !== undefined || report !== undefined
  const onProgress = progress(tell, request.expectedSeconds)
  const recordsGoal = goal !== undefined
  const { timingOnly, computeScale } = request
  const world = new VirtualWorld({
    model,
    ranks,
    digest,
    record,
    goal: recordsGoal,
    timingOnly,
    onProgress,
  })
  return {
    world,
    onProgress,
    finish(endpoints = world.endpoints) {
      const { kernel, ends } = world
      const result = resultOf({ kernel, ends, endpoints, timingOnly, computeScale })
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

/** How far a run has come is virtual time; what is left of it only somebody knows who has seen it before. */
function progress(
  tell: (text: string) => void,
  expectedSeconds: number | undefined,
): (nowPs: number) => void {
  const start = performance.now()
  let due = start + PROGRESS_MS
  let before = { at: start, ps: 0 }
  return (nowPs) => {
    const now = performance.now()
    if (now < due) return
    due = now + PROGRESS_MS
    const rate = ((nowPs - before.ps) / (now - before.at)) * 1000
    before = { at: now, ps: nowPs }
    const words = [
      `virtual time ${formatDuration(nowPs)}`,
      `${formatDuration(Math.round(rate))} a second`,
    ]
    const left = expectedSeconds === undefined ? 0 : expectedSeconds * PS_PER_S - nowPs
    if (left > 0 && rate > 0) words.push(`about ${waitWords(left / rate)} left`)
    tell(words.join(', '))
  }
}
