import { describeDeviation } from '@commworld/transport'
import { describeDivergence } from '../../explore/divergence.js'
import type { Exploration, ExploredPoint, FoundFailure } from '../../explore/explore.js'
import type { ExploreRequest } from './explore-command.js'

/** How the runs of an exploration were carried. */
export type ExploreCarrier = '--serial' | '--in-process'

/** Said of what did not fail again. */
const UNSTEADY = [
  '  it did not fail again with the same choices: the program is not a function of them. What usually',
  '  causes it: Math.random, the clock, files, or a variable outside of main that keeps its value',
]

/** Lines of a kind that are listed. */
const LISTED = 20

/** An exploration in words. */
export function explorationText(
  exploration: Exploration,
  request: ExploreRequest,
  carrier: ExploreCarrier,
): string {
  const { runs, elapsedMs, matchings, points, failures } = exploration
  const { ranks, file } = request
  const seconds = (elapsedMs / 1000).toFixed(1)
  const lines = [
    `${file} on ${ranks} ranks: ${runs} runs in ${seconds} s, ${plural(matchings, 'matching')} tried, ${plural(failures.length, 'failure')}`,
  ]
  if (exploration.divergence) lines.push('', describeDivergence(exploration.divergence))
  if (points.length === 0)
    lines.push('', 'no receive from any source: every schedule matches alike')
  else lines.push('', 'receives from any source in the first run', ...pointLines(points))
  for (const failure of failures) lines.push('', ...failureLines(failure, request, carrier))
  return lines.join('\n')
}

/** The command line that runs the program as it failed. */
export function replayCommand(
  { replay }: FoundFailure,
  { ranks, file, args, faults }: ExploreRequest,
  carrier: ExploreCarrier,
): string {
  const network = faults === undefined ? [] : ['--faults', faults.join()]
  const choices = replay === '' ? [] : ['--choices', `'${replay}'`]
  const program = [file, ...args].map(quoted)
  return ['mpiexec', '-n', ranks, carrier, ...network, ...choices, ...program].join(' ')
}

/** A word as a shell reads it. */
function quoted(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** The same for tools: what was asked for, what was found, and how to see it again. */
export function explorationJson(
  exploration: Exploration,
  request: ExploreRequest,
  carrier: ExploreCarrier,
): string {
  const { file, args, ranks } = request
  const failures = exploration.failures.map((failure) => ({
    ...failure,
    again: replayCommand(failure, request, carrier),
  }))
  return JSON.stringify({ file, args, ranks, ...exploration, failures }, undefined, 2)
}

function pointLines(points: readonly ExploredPoint[]): string[] {
  const lines = points.slice(0, LISTED).map(({ rank, nth, name, took, alternatives, tried }) => {
    const others =
      alternatives.length === 0
        ? 'nobody else could have been'
        : `could have been ${alternatives.join(' ')}; tried ${tried.join(' ') || 'none'}`
    return `  rank ${rank}, ${name} ${nth + 1}: took the message of rank ${took}; ${others}`
  })
  return points.length > LISTED ? [...lines, `  ... and ${points.length - LISTED} more`] : lines
}

function failureLines(
  failure: FoundFailure,
  request: ExploreRequest,
  carrier: ExploreCarrier,
): string[] {
  const { title, text, count, deviations, reproduces } = failure
  const words =
    deviations.length === 0
      ? ['first come, first served: it needs no deviation']
      : deviations.slice(0, LISTED).map((deviation) => describeDeviation(deviation))
  return [
    `fails (${plural(count, 'run')}): ${title}`,
    ...words.map((line) => `  ${line}`),
    `  again: ${replayCommand(failure, request, carrier)}`,
    ...(reproduces ? [] : UNSTEADY),
    ...text
      .split('\n')
      .slice(0, LISTED)
      .map((line) => `    ${line}`),
  ]
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
