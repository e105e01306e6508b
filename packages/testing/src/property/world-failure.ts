import {
  describeDeviation,
  describeFault,
  type NetworkFault,
  type RecordedDeviation,
} from '@commworld/transport'
import { drawMessages } from '../picture/messages.js'
import { describeSchedule, type Schedule } from '../choices/schedule.js'
import type { WorldRun } from '../worlds/run-world.js'

/** Deviations that a report lists. */
const LISTED = 12

/** What a failing world looked like. */
export interface FailedWorld {
  readonly ranks: number
  readonly schedule: Schedule
  /** Kinds that may have happened. */
  readonly faults: readonly NetworkFault[] | undefined
  /** Printed. */
  readonly data: string | undefined
  readonly error: unknown
  readonly rank: number | undefined
  readonly run: Pick<WorldRun<unknown>, 'deviations' | 'replay' | 'faults' | 'traces'>
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

function textOf({ ranks, schedule, faults = [], data, error, rank, run }: FailedWorld): string {
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
  run.faults.slice(0, LISTED).forEach((fault, place) => {
    lines.push(`${place === 0 ? 'faults ' : '       '}    ${describeFault(fault)}`)
  })
  if (run.faults.length > LISTED)
    lines.push(`           ... and ${run.faults.length - LISTED} more`)
  const kinds = faults.map((kind) => `'${kind}'`).join(', ')
  const [setting, option] =
    faults.length === 0 ? ['', ''] : [`, { faults: [${kinds}] }`, ` --faults ${faults.join()}`]
  lines.push(`replay     replayWorld(${ranks}, main, '${replay}'${setting})`)
  const command = `mpiexec -n ${ranks} --in-process${option} --choices '${replay}' program.ts`
  lines.push(`           ${command}`, '')
  return [...lines, drawMessages(run.traces(), 40)].join('\n')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
