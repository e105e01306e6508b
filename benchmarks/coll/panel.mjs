/** What the table and the plot show: times by algorithm along one axis, and the library's choice. */
import { sizeText } from '../table/sizes.mjs'
import { thresholdsBetween } from './thresholds.mjs'

/**
 * What is measured at one number of ranks; for a collective without data, at all of them.
 *
 * @typedef {object} Panel
 * @property {string} title
 * @property {'bytes' | 'ranks'} axis
 * @property {readonly number[]} positions   on that axis, ascending
 * @property {readonly string[]} labels      of the positions
 * @property {Line[]} lines
 * @property {(string | undefined)[]} picks  the name of the library's choice at each position
 * @property {{ at: number, label: string, from: string, to: string }[]} thresholds
 *
 * @typedef {object} Line
 * @property {'ours' | 'openmpi' | 'mpich'} side
 * @property {string} name                   of the algorithm, or the side
 * @property {string} title
 * @property {(number | undefined)[]} microseconds   mean over ranks at each position
 * @property {string} [failure]              why it could not run
 *
 * What the programs printed at one number of ranks.
 *
 * @typedef {object} Column
 * @property {number} ranks
 * @property {readonly number[]} positions   bytes
 * @property {readonly (Omit<Line, 'microseconds'> & { times: Map<number, number> })[]} lines
 *
 * @typedef {(ranks: number, bytes: number) => string | undefined} Pick   the library's choice
 */

/**
 * @param {Column} column
 * @param {Pick} pick
 */
export function panelByBytes({ ranks, lines, positions }, pick) {
  return panelOf({
    title: `${ranks} ranks`,
    axis: 'bytes',
    positions,
    pick: (bytes) => pick(ranks, bytes),
    lines: lines.map((line) => arranged(line, positions, (bytes) => line.times.get(bytes))),
  })
}

/**
 * @param {readonly Column[]} columns   with the same lines
 * @param {Pick} pick
 */
export function panelByRanks(columns, pick) {
  const positions = columns.map(({ ranks }) => ranks)
  const timeAt = (index) => (ranks) =>
    columns.find((column) => column.ranks === ranks).lines[index].times.get(0)
  return panelOf({
    title: 'by ranks',
    axis: 'ranks',
    positions,
    pick: (ranks) => pick(ranks, 0),
    lines: columns[0].lines.map((line, index) => arranged(line, positions, timeAt(index))),
  })
}

function arranged({ side, name, title, failure }, positions, timeAt) {
  return { side, name, title, failure, microseconds: positions.map(timeAt) }
}

/** @returns {Panel} */
function panelOf({ title, axis, positions, pick, lines }) {
  const labelOf = axis === 'bytes' ? exactSizeText : String
  const thresholds = thresholdsBetween(positions, pick)
  return {
    ...{ title, axis, positions, lines },
    labels: positions.map(labelOf),
    picks: positions.map(pick),
    thresholds: thresholds.map((threshold) => ({ ...threshold, label: labelOf(threshold.at) })),
  }
}

function exactSizeText(bytes) {
  return bytes % 1024 === 0 ? sizeText(bytes) : `${bytes} B`
}
