import { formatDuration } from '@commworld/transport/simulated'
import { PATH_PARTS } from './rank-times.js'
import type { CollectiveResult, ResultFacts } from './simulate-collective.js'

/** A result for people: what it took, where the time went, and what the model leaves out. */
export function resultText(result: CollectiveResult, bytes: number): string {
  const { algorithm, ranks, model, timePs } = result
  return [
    `${algorithm.collective} by ${algorithm.title}: ${ranks} ranks, ${bytes} B`,
    `on ${model.name}, routing ${model.routing.name}, ${ranksWords(result)}`,
    '',
    `time                ${formatDuration(timePs)}`,
    ...(result.messages === 0
      ? []
      : [`messages            ${result.messages} with ${formatBytes(result.bytes)}`]),
    '',
    ...rankLines(result),
    '',
    ...pathLines(result),
    ...classLines(result),
    ...linkLines(result),
    '',
    ...cardLines(result),
  ].join('\n')
}

export function ranksWords({ model: { ranksPerHost, placement } }: ResultFacts): string {
  return ranksPerHost === 1 ? 'one rank a host' : `${ranksPerHost} ranks a host (${placement})`
}

export function rankLines(result: ResultFacts): string[] {
  const { finishPs, ranks } = result
  const sums = { computing: 0, overhead: 0, waiting: 0, contention: 0 }
  let least = Infinity
  for (let rank = 0; rank < ranks; rank++) {
    const shares = result.sharesOf(rank)
    sums.computing += shares.computingPs
    sums.overhead += shares.overheadPs
    sums.waiting += shares.waitingPs
    sums.contention += shares.contentionPs
    least = Math.min(least, finishPs[rank]!)
  }
  return [
    `ranks are done      after ${formatDuration(least)} to ${formatDuration(result.timePs)}`,
    `their time          ${shareWords(sums)}`,
  ]
}

export function pathLines({ criticalPath, criticalMessages, slowestRank }: ResultFacts): string[] {
  const parts = Object.fromEntries(PATH_PARTS.map((part) => [part, criticalPath[part]]))
  const lines = [`critical path       ${shareWords(parts)}`]
  if (criticalMessages === undefined || criticalMessages.length === 0) return lines
  const way = [criticalMessages[0]!.from, ...criticalMessages.map(({ to }) => to)]
  const shown =
    way.length <= 10 ? way.join(' -> ') : [...way.slice(0, 5), '…', ...way.slice(-4)].join(' -> ')
  lines.push(`  to rank ${slowestRank}: ${criticalMessages.length} messages, ranks ${shown}`)
  return lines
}

export function classLines({ classes, unexpectedMax }: ResultFacts): string[] {
  if (classes.length === 0) return []
  const lines = classes.map(({ way, messages, bytes, bound, ...times }) => {
    const mean = (ps: number): string => formatDuration(ps / messages)
    const parts = [
      `overhead ${mean(times.overheadPs)}`,
      `latency ${mean(times.latencyPs)}`,
      `transfer ${mean(times.transferPs)}`,
      `contention ${mean(times.contentionPs)}`,
    ]
    return `  ${way.padEnd(14)} ${messages} of ${formatBytes(bytes / messages)}: ${parts.join(', ')}; bound by ${bound}`
  })
  const queue = `  at most ${unexpectedMax} before their receives at one rank`
  return ['', 'messages by way, with what one took in the mean', ...lines, queue]
}

export function linkLines({ busiest, card }: ResultFacts): string[] {
  const used = busiest.filter(({ bytes }) => bytes > 0).slice(0, 4)
  if (used.length === 0) return []
  const title = card.layer === 1 ? 'busiest interfaces' : 'busiest links'
  return [
    '',
    title,
    ...used.map(
      ({ name, bytes, busy, peak }) =>
        `  ${name}: ${formatBytes(bytes)}, busy ${percent(busy)}${peak > 1 ? `, up to ${peak} at once` : ''}`,
    ),
  ]
}

export function cardLines({ card, model: { network } }: ResultFacts): string[] {
  const numbers = Object.entries(network).filter(
    ([, value]) => typeof value === 'object' && value !== null && 'estimate' in value,
  )
  const estimates = [...(network.knotsEstimate ? ['sizes'] : []), ...numbers.map(([name]) => name)]
  return [
    `layer ${card.layer}: ${card.title}`,
    `ignored: ${card.ignores.join('; ')}`,
    `network: ${network.title}; sizes from ${network.knotsSource}`,
    ...(estimates.length > 0 ? [`estimates: ${estimates.join(', ')}`] : []),
  ]
}

/** `waiting 61 %, overhead 39 %`, the largest first. */
function shareWords(parts: Readonly<Record<string, number>>): string {
  const sum = Object.values(parts).reduce((a, b) => a + b, 0)
  if (sum === 0) return 'none'
  return Object.entries(parts)
    .filter(([, value]) => value > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, value]) => `${name} ${percent(value / sum)}`)
    .join(', ')
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.0995 ? 1 : 0)} %`
}

export function formatBytes(bytes: number): string {
  for (const [unit, size] of [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (bytes >= size) return `${Number((bytes / size).toFixed(1))} ${unit}`
  }
  return `${Math.round(bytes)} B`
}
