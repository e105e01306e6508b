/** Text in columns. Widths are those of the plain text; painting comes last. */

/** What a piece of text is, for a terminal that has colours. */
export type Role = 'error' | 'hazard' | 'note' | 'rank' | 'call' | 'site' | 'label' | 'plain'

export interface Cell {
  role: Role
  text: string
}

interface Columns {
  indent: number
  gap: number
  width: number
  paint: (role: Role, text: string) => string
}

/** The narrowest last column that is still set beside the others instead of below them. */
const NARROWEST = 24

/** Rows of cells as lines; the last cell of a row wraps, beside the others or, if narrow, below. */
export function padCells(rows: readonly (readonly Cell[])[], columns: Columns): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: Math.max(0, count - 1) }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.text.length ?? 0)),
  )
  const used = widths.filter((width) => width > 0)
  const start = columns.indent + used.reduce((sum, width) => sum + width + columns.gap, 0)
  const beside = start + NARROWEST <= columns.width
  return rows.flatMap((row) => rowLines(row, widths, beside ? start : undefined, columns))
}

function rowLines(
  row: readonly Cell[],
  widths: readonly number[],
  start: number | undefined,
  columns: Columns,
): string[] {
  const below = columns.indent + 8
  const head = row
    .slice(0, -1)
    .map((cell, column) => ({ ...cell, width: widths[column] ?? 0 }))
    .filter((cell) => cell.width > 0)
    .map((cell) => columns.paint(cell.role, cell.text) + pad(cell.width - cell.text.length))
  const last = row.at(-1) ?? { role: 'plain', text: '' }
  const indent = start ?? below
  const text = wrap(last.text, columns.width - indent).map((line) => columns.paint(last.role, line))
  const first = pad(columns.indent) + head.join(pad(columns.gap))
  if (last.text === '') return [first.trimEnd()]
  if (start === undefined) return [first.trimEnd(), ...text.map((line) => pad(indent) + line)]
  const begin = head.length > 0 ? first + pad(columns.gap) : first
  return [begin + text[0], ...text.slice(1).map((line) => pad(indent) + line)]
}

function pad(width: number): string {
  return ' '.repeat(Math.max(0, width))
}

/** Lines of at most `width` characters, broken at line breaks and spaces; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width))
}

function wrapLine(text: string, width: number): string[] {
  // A line that fits keeps its indentation.
  if (text.length <= width) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}
