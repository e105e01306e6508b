import { createDims, type Mpi } from '@commworld/mpi'
import { addProduct, cut, fillA, fillB, lengthOf, sequentialProduct, shape } from './matrices.js'
import type { Range } from './matrices.js'
import { showGivers, stepsOf } from './steps.js'

const widestPanel = 25

// SUMMA, the scalable universal matrix multiplication algorithm. The ranks form a grid, and each keeps
// the piece of A, of B and of C that lies at its place. C is the sum over k of column k of A times row
// k of B: whoever has some columns of A shows them to its row of ranks, whoever has these rows of B to
// its column of ranks, and everybody adds what the two give for its piece of C.
export default function main({ world, alloc }: Mpi) {
  const dims = createDims(world.size, [0, 0])
  // It is undefined for ranks that find no place in a grid; this one has places for all.
  const grid = world.createCart({ dims })!
  const [gridRow, gridColumn] = grid.coords()
  const myRow = grid.sub([false, true])
  const myColumn = grid.sub([true, false])

  const rows = cut(shape.rows, dims[0])
  const columns = cut(shape.columns, dims[1])
  const size = { rows: lengthOf(rows[gridRow]), columns: lengthOf(columns[gridColumn]) }

  // The inner index is cut twice: A's columns among the columns of the grid, B's rows among its rows.
  const innerOfA = cut(shape.inner, dims[1])
  const innerOfB = cut(shape.inner, dims[0])
  const a = alloc(Float64Array, size.rows * lengthOf(innerOfA[gridColumn]))
  const b = alloc(Float64Array, lengthOf(innerOfB[gridRow]) * size.columns)
  const c = alloc(Float64Array, size.rows * size.columns)
  fillA(a, rows[gridRow], innerOfA[gridColumn])
  fillB(b, innerOfB[gridRow], columns[gridColumn])

  const steps = stepsOf(innerOfA, innerOfB, widestPanel)
  if (world.rank === 0) {
    console.log(`A (${shape.rows} x ${shape.inner}) times B (${shape.inner} x ${shape.columns})`)
    console.log(`on a grid of ${dims[0]} x ${dims[1]} ranks in ${steps.length} steps\n`)
    showGivers(dims, steps)
  }

  // One panel at a time: a giver takes it from its piece, the others receive it into these.
  const spareOfA = alloc(Float64Array, size.rows * widestPanel)
  const spareOfB = alloc(Float64Array, widestPanel * size.columns)
  for (const { panel, columnOfA, rowOfB } of steps) {
    const width = lengthOf(panel)
    const startInA = (panel.first - innerOfA[columnOfA].first) * size.rows
    const startInB = (panel.first - innerOfB[rowOfB].first) * size.columns
    const panelOfA =
      gridColumn === columnOfA
        ? a.subarray(startInA, startInA + width * size.rows)
        : spareOfA.subarray(0, width * size.rows)
    const panelOfB =
      gridRow === rowOfB
        ? b.subarray(startInB, startInB + width * size.columns)
        : spareOfB.subarray(0, width * size.columns)

    // In a row of ranks the number of a rank is its column, and the other way round.
    myRow.bcastInto(panelOfA, { root: columnOfA })
    myColumn.bcastInto(panelOfB, { root: rowOfB })
    addProduct(c, panelOfA, panelOfB, size)
  }

  // The pieces of C one after the other, by rank.
  const pieces = Array.from({ length: world.size }, (_, rank) => {
    const [row, column] = grid.coords(rank)
    return { rows: rows[row], columns: columns[column] }
  })
  const counts = pieces.map((piece) => lengthOf(piece.rows) * lengthOf(piece.columns))
  const whole = world.rank === 0 ? alloc(Float64Array, shape.rows * shape.columns) : undefined
  grid.gathervInto(c, whole && { data: whole, counts })
  if (whole) check(whole, pieces)
  for (const communicator of [myRow, myColumn, grid]) communicator.free()
}

function check(whole: Float64Array, pieces: readonly { rows: Range; columns: Range }[]) {
  const expected = sequentialProduct()
  let next = 0
  for (const { rows, columns } of pieces) {
    for (let row = rows.first; row < rows.end; row++) {
      for (let column = columns.first; column < columns.end; column++) {
        const entry = whole[next++]
        if (entry === expected[row * shape.columns + column]) continue
        throw new Error(`FAIL: entry (${row}, ${column}) is ${entry}`)
      }
    }
  }
  console.log(`PASS: all ${next} entries of C equal those of a sequential product`)
}
