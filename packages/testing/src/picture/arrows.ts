/** One thing that went from a rank to another (or stayed), with a word on it. */
export interface Arrow {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Ranks up to which each has a column. */
const COLUMNS_MAX = 10
const COLUMN = 6

/**
 * Draws who sent what to whom, one line each, in the order given: a column for each rank.
 *
 * @example
 * drawArrows(3, [{ from: 0, to: 2, text: 'block 1' }])
 * // rank 0     1     2
 * //      o---------->|     block 1
 */
export function drawArrows(size: number, arrows: readonly Arrow[], most = 60): string {
  const shown = arrows.slice(0, most)
  const lines = size > COLUMNS_MAX ? shown.map(plainLine) : [head(size), ...shown.map(drawn(size))]
  if (arrows.length > most) lines.push(`... and ${arrows.length - most} more`)
  return lines.join('\n')
}

function plainLine({ from, to, text }: Arrow): string {
  return `${from} -> ${to}  ${text}`
}

function head(size: number): string {
  const numbers = Array.from({ length: size }, (_, rank) => String(rank).padEnd(COLUMN))
  return `rank ${numbers.join('').trimEnd()}`
}

function drawn(size: number): (arrow: Arrow) => string {
  return ({ from, to, text }) => {
    const cells = [...Array.from({ length: size }, () => '|'.padEnd(COLUMN)).join('')]
    const [left, right] = [Math.min(from, to) * COLUMN, Math.max(from, to) * COLUMN]
    for (let at = left + 1; at < right; at++) cells[at] = '-'
    cells[from * COLUMN] = 'o'
    if (to > from) cells[right - 1] = '>'
    if (to < from) cells[left + 1] = '<'
    return `     ${cells
      .join('')
      .trimEnd()
      .padEnd(size * COLUMN)}${text}`
  }
}
