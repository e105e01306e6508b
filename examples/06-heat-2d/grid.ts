// How the plate is cut into blocks, one for each rank.

import { PROC_NULL, type Peer } from '@commworld/mpi'
import { plate, type Block } from './plate.js'

export type Grid = { rows: number; columns: number }
type Side = 'above' | 'below' | 'left' | 'right'

/** As square a grid as the number of ranks allows, wider than high like the plate. */
export function gridOf(size: number): Grid {
  let rows = Math.floor(Math.sqrt(size))
  while (size % rows !== 0) rows--
  return { rows, columns: size / rows }
}

/** The block of a rank. Blocks differ by a row or a column where it does not come out even. */
export function blockOf(grid: Grid, rank: number): Block {
  const { row, column } = placeOf(grid, rank)
  const rowAfter = (index: number) => Math.floor((index * plate.rows) / grid.rows)
  const columnAfter = (index: number) => Math.floor((index * plate.columns) / grid.columns)
  return {
    firstRow: rowAfter(row),
    firstColumn: columnAfter(column),
    rows: rowAfter(row + 1) - rowAfter(row),
    columns: columnAfter(column + 1) - columnAfter(column),
  }
}

/** Beyond the edge of the plate is nobody: messages to and from `PROC_NULL` are done at once. */
export function neighboursOf(grid: Grid, rank: number): Record<Side, Peer> {
  const { row, column } = placeOf(grid, rank)
  return {
    above: row > 0 ? rank - grid.columns : PROC_NULL,
    below: row < grid.rows - 1 ? rank + grid.columns : PROC_NULL,
    left: column > 0 ? rank - 1 : PROC_NULL,
    right: column < grid.columns - 1 ? rank + 1 : PROC_NULL,
  }
}

function placeOf(grid: Grid, rank: number) {
  return { row: Math.floor(rank / grid.columns), column: rank % grid.columns }
}
