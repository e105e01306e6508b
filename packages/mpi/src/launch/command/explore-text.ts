import { describeDeviation } from '@commworld/transport'
import type { Exploration, ExploredPoint, FoundFailure } from '../../explore/explore.js'
import type { ExploreRequest } from './explore-command.js'

/** Lines of a kind that are listed. */
const LISTED = 20

/** An exploration in words. */
export function explorationText(
  exploration: Exploration,
  request: ExploreRequest,
  carrier: '--serial' | '--in-process',
): string {
  const { runs, elapsedMs, matchings, points, failures } = exploration
  const { ranks, file } = request
  const seconds = (elapsedMs / 1000).toFixed(1)
  const lines = [
    `${file} on ${ranks} ranks: ${runs} runs in ${seconds} s, ${plural(matchings, 'matching')} tried, ${plural(failures.length, 'failure')}`,
  ]
  if (points.length === 0)
    lines.push('', 'no receive from any source: every schedule matches alike')
  else lines.push('', 'receives from any source in the first run', ...pointLines(points))
  for (const failure of failures) lines.push('', ...failureLines(failure, request, carrier))
  return lines.join('\n')
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
  { ranks, file, args }: ExploreRequest,
  carrier: string,
): string[] {
  const { title, text, count, deviations, replay } = failure
  const command = [file, ...args].join(' ')
  const words =
    deviations.length === 0
      ? ['first come, first served: it needs no deviation']
      : deviations.slice(0, LISTED).map((deviation) => describeDeviation(deviation))
  const choices = replay === '' ? '' : ` --choices '${replay}'`
  return [
    `fails (${plural(count, 'run')}): ${title}`,
    ...words.map((line) => `  ${line}`),
    `  again: mpiexec -n ${ranks} ${carrier}${choices} ${command}`,
    ...text
      .split('\n')
      .slice(0, LISTED)
      .map((line) => `    ${line}`),
  ]
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
