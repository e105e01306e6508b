import { describeDeviation, type RecordedDeviation } from '@commworld/transport'
import { drawMessages } from '../picture/messages.js'
import { describeSchedule, type Schedule } from '../choices/schedule.js'
import type { WorldRun } from '../worlds/run-world.js'

/** Deviations that a report lists. */
const LISTED = 12

/** What a failing world looked like. */
export interface FailedWorld {
  readonly ranks: number
  readonly schedule: Schedule
  /** Printed. */
  readonly data: string | undefined
  readonly error: unknown
  readonly rank: number | undefined
  readonly run: Pick<WorldRun<unknown>, 'deviations' | 'replay' | 'traces'>
}

/** A property of worlds that does not hold: the message tells all, and how to see it again. */
export class WorldFailure extends Error {
  override readonly name = 'WorldFailure'
  readonly ranks: number
  /** Replay string. */
  readonly replay: string
  readonly deviations: readonly RecordedDeviation[]

  constructor(world: FailedWorld) {
    super(textOf(world), { cause: world.error })
    this.ranks = world.ranks
    this.replay = world.run.replay
    this.deviations = world.run.deviations
  }
}

function textOf({ ranks, schedule, data, error, rank, run }: FailedWorld): string {
  const { deviations, replay } = run
  const where = rank === undefined ? '' : ` at rank ${rank}`
  const lines = [`with ${ranks} rank${ranks === 1 ? '' : 's'}${where}: ${messageOf(error)}`, '']
  if (data !== undefined) lines.push(`data       ${data}`)
  lines.push(`schedule   ${describeSchedule(schedule)}`)
  if (deviations.length === 0) lines.push('           nothing deviated from first come')
  for (const deviation of deviations.slice(0, LISTED)) {
    lines.push(`           ${describeDeviation(deviation)}`)
  }
  if (deviations.length > LISTED)
    lines.push(`           ... and ${deviations.length - LISTED} more`)
  lines.push(`replay     replayWorld(${ranks}, main, '${replay}')`)
  lines.push(`           mpiexec -n ${ranks} --in-process --choices '${replay}' program.ts`, '')
  return [...lines, drawMessages(run.traces(), 40)].join('\n')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
