// Curves for examples, in plain text.

export type Plot = {
  values: readonly number[]
  scale: 'linear' | 'logarithmic'
  /** What is counted along the horizontal axis. */
  along: string
  /** In characters, without axis and labels. */
  width?: number
  height?: number
}

/** The lines of the plot. A character is two dots high: `'` is the upper one, `.` the lower, `:` both. */
export function plot({ values, scale, along, width = 64, height = 12 }: Plot): string[] {
  const columns = Math.min(width, values.length)
  const columnsWithDot = dotsOf(scale === 'logarithmic' ? values.map(Math.log10) : values, {
    rows: 2 * height,
    columns,
  })
  const label = (value: number) =>
    (scale === 'logarithmic' ? value.toExponential(0) : value.toPrecision(2)).padStart(labelWidth)
  const labels = new Array<string>(height).fill(' '.repeat(labelWidth))
  labels[0] = label(Math.max(...values))
  labels[height - 1] = label(Math.min(...values))

  const lines = labels.map((text, line) => {
    const [upper, lower] = [columnsWithDot[2 * line], columnsWithDot[2 * line + 1]]
    const characters = Array.from({ length: columns }, (_, column) =>
      characterOf(upper.has(column), lower.has(column)),
    )
    return `${text} |${characters.join('')}`.trimEnd()
  })
  const last = `${values.length - 1} ${along}`
  lines.push(`${' '.repeat(labelWidth)} +${'-'.repeat(columns)}`)
  lines.push(`${' '.repeat(labelWidth)}  0${last.padStart(columns - 1)}`)
  return lines
}

const labelWidth = 6

/** For each row of dots, the topmost first, in which columns there are some. */
function dotsOf(
  values: readonly number[],
  { rows, columns }: { rows: number; columns: number },
): Set<number>[] {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const rowOf = (value: number) =>
    Math.round(((highest - value) / (highest - lowest || 1)) * (rows - 1))
  const dots = Array.from({ length: rows }, () => new Set<number>())
  let previous = rowOf(values[0])
  for (let column = 0; column < columns; column++) {
    const index = Math.round((column / Math.max(1, columns - 1)) * (values.length - 1))
    const row = rowOf(values[index])
    dots[row].add(column)
    // A steep curve has no gaps: the column reaches to where the one before it ends.
    for (; previous !== row; previous += Math.sign(row - previous)) dots[previous].add(column)
  }
  return dots
}

function characterOf(upper: boolean, lower: boolean): string {
  if (upper) return lower ? ':' : "'"
  return lower ? '.' : ' '
}
