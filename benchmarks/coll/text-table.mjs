/** A panel as a table for the terminal: sizes down, algorithms across, the library's picks marked. */
import { figure, markdownTable } from '../table/render.mjs'

/** By selection. */
const MARKS = ['*', '°']

/** @param {import('./panel.mjs').Panel} panel */
export function renderPanel(panel) {
  const { labels, lines, selections } = panel
  const shown = lines.filter(hasFigures)
  const marked = selections.map((selection, i) => ({ ...selection, mark: MARKS[i] }))
  const ratios = marked.map(({ mark }) => `${mark} / best`)
  const cells = labels.map((label, index) => [
    label,
    ...shown.map((line) => cell(line, index, marked)),
    ...selections.map((selection) => figure(pickOverBest(lines, selection, index))),
  ])
  return [
    `${panel.title}, µs`,
    '',
    markdownTable([panel.axis, ...shown.map(({ name }) => name), ...ratios], cells),
    ...marked.map(selectionText),
    ...lines
      .filter(({ failure }) => failure)
      .map(({ title, failure }) => `- ${title} did not run: ${failure}`),
  ].join('\n')
}

/** How much slower the pick is than the best that could have been picked. */
export function pickOverBest(lines, { picks, sharedMemory }, index) {
  const candidates = lines.filter(
    (line) => line.side === 'ours' && (sharedMemory || !line.sharedMemory),
  )
  const picked = candidates.find(({ name }) => name === picks[index])?.microseconds[index]
  if (picked === undefined) return undefined
  const times = candidates.map(({ microseconds }) => microseconds[index])
  return picked / Math.min(...times.filter((time) => time !== undefined))
}

function hasFigures({ microseconds }) {
  return microseconds.some((time) => time !== undefined)
}

function cell({ side, name, microseconds }, index, marked) {
  const marks = marked.filter(({ picks }) => side === 'ours' && picks[index] === name)
  return [figure(microseconds[index]), ...marks.map(({ mark }) => mark)].join(' ')
}

function selectionText({ mark, title, picks, thresholds }) {
  const changes = thresholds.map(({ label, to }) => `, from ${label} ${to}`)
  return `- ${mark} ${title}: ${picks[0] ?? 'not told'}${changes.join('')}`
}
