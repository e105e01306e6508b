import { formatDuration } from '@commworld/transport/simulated'
import {
  cardLines,
  classLines,
  formatBytes,
  linkLines,
  pathLines,
  rankLines,
  ranksWords,
} from '../result-text.js'
import type { RunResult } from './run-result.js'

/** A few ranks are told one by one. */
const RANKS_TOLD = 16

/** What a run took, for people: where the time went, and what the model leaves out. */
export function runText(result: RunResult): string {
  const { ranks, model, timePs, messages, bytes, digest } = result
  const words = ranks === 1 ? '1 rank' : `${ranks} ranks`
  return [
    `${words} on ${model.name}, routing ${model.routing.name}, ${ranksWords(result)}`,
    '',
    `virtual time        ${formatDuration(timePs)}`,
    ...(messages === 0 ? [] : [`messages            ${messages} with ${formatBytes(bytes)}`]),
    '',
    ...rankLines(result),
    ...(ranks <= RANKS_TOLD ? rankTable(result) : []),
    '',
    ...pathLines(result),
    ...classLines(result),
    ...queueLines(result),
    ...linkLines(result),
    '',
    ...cardLines(result),
    ...result.notes,
    ...(digest === undefined ? [] : [`event log: ${digest}`]),
  ].join('\n')
}

function queueLines({ unexpectedMax, unexpectedRank, waitingMax }: RunResult): string[] {
  if (unexpectedMax === 0 && waitingMax === 0) return []
  const busy = `at most ${waitingMax} waited for a rank that was busy`
  if (unexpectedMax === 0) return [`  ${busy}`]
  return [`  the longest list of them was that of rank ${unexpectedRank}; ${busy}`]
}

function rankTable(result: RunResult): string[] {
  const rows = Array.from({ length: result.ranks }, (_, rank) => {
    const { finishPs, computingPs, overheadPs, waitingPs, contentionPs } = result.sharesOf(rank)
    const times = [finishPs, computingPs, overheadPs, waitingPs, contentionPs]
    return [String(rank), ...times.map((time) => (time === 0 ? '-' : formatDuration(time)))]
  })
  const table = [['rank', 'done', 'computing', 'overhead', 'waiting', 'contention'], ...rows]
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  const line = (row: string[]): string =>
    row.map((cell, column) => cell.padStart(widths[column]!)).join('  ')
  return table.map((row) => `  ${line(row)}`)
}
