/** The command line of the programs that time collectives: `settings.ts`, and what is theirs alone. */
import { parseArgs } from 'node:util'
import { COLLECTIVES, type Collective, type CollectiveName } from './collectives.js'
import type { CallOptions } from './operands.js'
import { COLLECTIVE_COUNTS, SETTINGS_OPTIONS, settingsOf, type Settings } from './settings.js'
import type { Extent } from './timed-calls.js'

/** OSU's limit for collectives, below that of messages: memory grows with ranks. */
const SIZES = `1:${1_024 * 1_024}`

export interface CollectiveSettings {
  readonly name: CollectiveName
  readonly collective: Collective
  readonly settings: Settings
  /** About how long one size may take; fewer iterations where they would take longer. */
  readonly budgetSeconds: number
  /** Calls of `test` while a rank computes. */
  readonly tests: number
  /** Numbers instead of memory. */
  readonly values: boolean
  readonly options: CallOptions
}

/**
 * Reads `NAME [-m MIN:MAX] [-i COUNT] [-x COUNT] [-s SECONDS] [-t TESTS] [--algorithm NAME]
 * [--values]`.
 */
export function readCollectiveSettings(args: readonly string[]): CollectiveSettings {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...SETTINGS_OPTIONS,
      s: { type: 'string', short: 's' },
      t: { type: 'string', short: 't' },
      algorithm: { type: 'string' },
      values: { type: 'boolean' },
    },
  })
  const name = positionals[0]
  if (!isCollective(name)) {
    const names = Object.keys(COLLECTIVES).join(', ')
    throw new Error(`the first argument is a collective (${names}), not ${name}`)
  }
  return {
    name,
    collective: COLLECTIVES[name],
    settings: settingsOf(
      { ...values, m: name === 'barrier' ? '0:0' : (values.m ?? SIZES) },
      COLLECTIVE_COUNTS,
    ),
    budgetSeconds: Number(values.s ?? Infinity),
    tests: Number(values.t ?? 0),
    values: values.values ?? false,
    options: values.algorithm === undefined ? {} : { algorithm: values.algorithm },
  }
}

/** What one message size takes. */
export function extentOf(task: CollectiveSettings, bytes: number): Extent {
  const { name, settings, budgetSeconds } = task
  return {
    warmup: settings.warmup(bytes),
    iterations: settings.iterations(bytes),
    barriers: name !== 'barrier',
    budgetSeconds,
    isFirst: bytes === settings.sizes[0],
  }
}

function isCollective(name: string | undefined): name is CollectiveName {
  return name !== undefined && name in COLLECTIVES
}
