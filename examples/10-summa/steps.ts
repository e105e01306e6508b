// Which part of the inner index is worked on when, and who has it.

import type { Range } from './matrices.js'

export type Step = {
  /** The columns of A and rows of B of this step. */
  panel: Range
  /** The column of the grid that has these columns of A. */
  columnOfA: number
  /** The row of the grid that has these rows of B. */
  rowOfB: number
}

/** Panels that have one owner in A and one in B, and are not too wide. */
export function stepsOf(
  innerOfA: readonly Range[],
  innerOfB: readonly Range[],
  widest: number,
): Step[] {
  const steps: Step[] = []
  const end = innerOfA[innerOfA.length - 1].end
  for (let first = 0; first < end; first = steps[steps.length - 1].panel.end) {
    const columnOfA = innerOfA.findIndex((range) => first < range.end)
    const rowOfB = innerOfB.findIndex((range) => first < range.end)
    const panelEnd = Math.min(first + widest, innerOfA[columnOfA].end, innerOfB[rowOfB].end)
    steps.push({ panel: { first, end: panelEnd }, columnOfA, rowOfB })
  }
  return steps
}

/** A picture of the grid for each change of givers. */
export function showGivers(dims: readonly number[], steps: readonly Step[]): void {
  console.log('who gives columns of A to its row, rows of B to its column, or * both:')
  const pictures = steps.filter(
    ({ columnOfA, rowOfB }, index) =>
      columnOfA !== steps[index - 1]?.columnOfA || rowOfB !== steps[index - 1]?.rowOfB,
  )
  for (let row = 0; row < dims[0]; row++) {
    const grids = pictures.map(({ columnOfA, rowOfB }) =>
      Array.from({ length: dims[1] }, (_, column) =>
        markOf(column === columnOfA, row === rowOfB),
      ).join(' '),
    )
    console.log(`  ${grids.join('     ')}`)
  }
  console.log()
}

function markOf(givesA: boolean, givesB: boolean): string {
  if (givesA) return givesB ? '*' : 'A'
  return givesB ? 'B' : '.'
}
