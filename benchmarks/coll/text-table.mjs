/** A panel as a table for the terminal: sizes down, algorithms across, the library's pick starred. */
import { figure, markdownTable } from '../table/render.mjs'

/** @param {import('./panel.mjs').Panel} panel */
export function renderPanel(panel) {
  const lines = panel.lines.filter(hasFigures)
  const heads = [panel.axis, ...lines.map(({ name }) => name), 'pick / best']
  const cells = panel.labels.map((label, index) => [
    label,
    ...lines.map((line) => cell(line, index, panel.picks[index])),
    figure(pickOverBest(panel, index)),
  ])
  return [
    `${panel.title}, µs`,
    '',
    markdownTable(heads, cells),
    ...panel.thresholds.map(({ label, from, to }) => `- from ${label}: ${to} instead of ${from}`),
    ...panel.lines
      .filter(({ failure }) => failure)
      .map(({ title, failure }) => `- ${title} did not run: ${failure}`),
  ].join('\n')
}

/** How much slower the pick is than the best of the library's own; undefined without a pick. */
export function pickOverBest({ lines, picks }, index) {
  const ours = lines.filter(({ side }) => side === 'ours')
  const picked = ours.find(({ name }) => name === picks[index])?.microseconds[index]
  if (picked === undefined) return undefined
  const times = ours.map(({ microseconds }) => microseconds[index])
  return picked / Math.min(...times.filter((time) => time !== undefined))
}

function hasFigures({ microseconds }) {
  return microseconds.some((time) => time !== undefined)
}

function cell({ side, name, microseconds }, index, pick) {
  return figure(microseconds[index]) + (side === 'ours' && name === pick ? ' *' : '')
}
