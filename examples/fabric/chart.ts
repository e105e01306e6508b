// Tables and pictures for the lessons.

import { writeFileSync } from 'node:fs'

export type Series = { readonly name: string; readonly values: readonly number[] }
export type Chart = {
  readonly title: string
  /** What stands below each group of bars. */
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  readonly unit: string
  /** Default linear. */
  readonly scale?: 'linear' | 'logarithmic'
}

/** Rows of text, each column as wide as its longest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[i]!))).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

/** Microseconds with three digits that count. */
export function micro(ps: number): string {
  const us = ps / 1e6
  return `${us.toFixed(us >= 100 ? 0 : us >= 10 ? 1 : 2)} us`
}

/** Writes the chart as SVG when the program was given a file for it. */
export function picture(args: readonly string[], chart: Chart): void {
  if (args[0] !== undefined) writeFileSync(args[0], svg(chart))
}

const colours = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377']
const [width, height, left, top, bottom] = [720, 340, 70, 60, 40]

function svg({ title, labels, series, unit, scale = 'linear' }: Chart): string {
  const all = series.flatMap(({ values }) => values)
  const most = Math.max(...all)
  const least = scale === 'linear' ? 0 : 10 ** Math.floor(Math.log10(Math.min(...all)))
  const share = (value: number) =>
    scale === 'linear' ? value / most : Math.log(value / least) / Math.log(most / least)
  const full = height - top - bottom
  const step = (width - left - 10) / labels.length
  const bar = (0.8 * step) / series.length
  const parts = series.flatMap(({ values }, s) =>
    values.map((value, i) => {
      const size = Math.max(1, share(value) * full)
      const x = left + i * step + 0.1 * step + s * bar
      return `<rect x="${x.toFixed(1)}" y="${(height - bottom - size).toFixed(1)}" width="${(bar * 0.92).toFixed(1)}" height="${size.toFixed(1)}" fill="${colours[s]}"/>`
    }),
  )
  const below = labels.map(
    (label, i) =>
      `<text x="${(left + (i + 0.5) * step).toFixed(1)}" y="${height - bottom + 18}" text-anchor="middle">${label}</text>`,
  )
  const ticks = ticksOf(least, most, scale).map((value) => {
    const y = (height - bottom - share(value) * full).toFixed(1)
    const text =
      value >= 1 ? String(Number(value.toPrecision(3))) : String(Number(value.toPrecision(2)))
    return `<line x1="${left}" x2="${width - 10}" y1="${y}" y2="${y}" stroke="#ddd"/><text x="${left - 6}" y="${Number(y) + 4}" text-anchor="end">${text}</text>`
  })
  const legend = series.map(
    ({ name }, s) =>
      `<rect x="${left + s * 165}" y="32" width="12" height="12" fill="${colours[s]}"/><text x="${left + 17 + s * 165}" y="43">${name}</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    `<text x="${left}" y="20" font-size="14">${title} (${unit})</text>`,
    ...ticks,
    ...parts,
    ...below,
    ...legend,
    '</svg>\n',
  ].join('\n')
}

function ticksOf(least: number, most: number, scale: Chart['scale']): number[] {
  if (scale === 'linear') return [0.25, 0.5, 0.75, 1].map((part) => part * most)
  const ticks: number[] = []
  for (let tick = least; tick <= most; tick *= 10) ticks.push(tick)
  return ticks
}
