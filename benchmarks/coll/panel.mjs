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
 * @property {Selection[]} selections
 *
 * One way in which the library would choose.
 *
 * @typedef {object} Selection
 * @property {string} title
 * @property {boolean} sharedMemory          whether algorithms that need it are among the choices
 * @property {(string | undefined)[]} picks  the name of the choice at each position
 * @property {{ at: number, label: string, from: string, to: string }[]} thresholds
 *
 * @typedef {object} Line
 * @property {'ours' | 'openmpi' | 'mpich'} side
 * @property {string} name                   of the algorithm, or the side
 * @property {string} title
 * @property {boolean} sharedMemory          whether it needs that the ranks share memory
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
 * @typedef {object} Chooser
 * @property {string} title
 * @property {boolean} sharedMemory
 * @property {(ranks: number, bytes: number) => string | undefined} pick
 */

/**
 * @param {Column} column
 * @param {readonly Chooser[]} choosers
 */
export function panelByBytes({ ranks, lines, positions }, choosers) {
  return panelOf({
    title: `${ranks} ranks`,
    axis: 'bytes',
    positions,
    choosers: choosers.map((chooser) => ({
      ...chooser,
      pick: (bytes) => chooser.pick(ranks, bytes),
    })),
    lines: lines.map((line) => arranged(line, positions, (bytes) => line.times.get(bytes))),
  })
}

/**
 * @param {readonly Column[]} columns   with the same lines
 * @param {readonly Chooser[]} choosers
 */
export function panelByRanks(columns, choosers) {
  const positions = columns.map(({ ranks }) => ranks)
  const timeAt = (index) => (ranks) =>
    columns.find((column) => column.ranks === ranks).lines[index].times.get(0)
  return panelOf({
    title: 'by ranks',
    axis: 'ranks',
    positions,
    choosers: choosers.map((chooser) => ({ ...chooser, pick: (ranks) => chooser.pick(ranks, 0) })),
    lines: columns[0].lines.map((line, index) => arranged(line, positions, timeAt(index))),
  })
}

function arranged({ side, name, title, sharedMemory, failure }, positions, timeAt) {
  return { side, name, title, sharedMemory, failure, microseconds: positions.map(timeAt) }
}

/** @returns {Panel} */
function panelOf({ title, axis, positions, choosers, lines }) {
  const labelOf = axis === 'bytes' ? exactSizeText : String
  const selections = choosers.map((chooser) => ({
    title: chooser.title,
    sharedMemory: chooser.sharedMemory,
    picks: positions.map(chooser.pick),
    thresholds: thresholdsBetween(positions, chooser.pick).map((threshold) => ({
      ...threshold,
      label: labelOf(threshold.at),
    })),
  }))
  return { title, axis, positions, labels: positions.map(labelOf), lines, selections }
}

function exactSizeText(bytes) {
  return bytes % 1024 === 0 ? sizeText(bytes) : `${bytes} B`
}
