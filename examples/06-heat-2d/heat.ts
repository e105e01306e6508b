import { Datatype, MAX, PROC_NULL, waitAll, type Mpi } from '@commworld/mpi'
import { draw } from '../picture.js'
import { heat, lengthOf, plate, step, strideOf, wiresOf, type Block } from './plate.js'

const steps = 400

// The plate is cut into a grid of blocks, one for each rank. A step needs the cells just beyond a
// block's border, its halo: every step begins with the neighbours giving each other their outermost
// rows and columns.
export default function main({ world, alloc, wtime }: Mpi) {
  const { rank, size } = world
  const grid = gridOf(size)
  const place = { row: Math.floor(rank / grid.columns), column: rank % grid.columns }
  const block = blockAt(grid, place)
  const stride = strideOf(block)

  // Beyond the edge of the plate is nobody: messages to and from PROC_NULL are done at once.
  const rankAt = (row: number, column: number) =>
    row < 0 || row >= grid.rows || column < 0 || column >= grid.columns
      ? PROC_NULL
      : row * grid.columns + column
  const above = rankAt(place.row - 1, place.column)
  const below = rankAt(place.row + 1, place.column)
  const left = rankAt(place.row, place.column - 1)
  const right = rankAt(place.row, place.column + 1)

  // A row lies in one piece. The cells of a column are a stride apart, which a datatype can say.
  const rowAt = (field: Float64Array, row: number) =>
    field.subarray(row * stride + 1, row * stride + 1 + block.columns)
  const column = Datatype.vector({ count: block.rows, blockLength: 1, stride })
  const columnAt = (field: Float64Array, index: number) => ({
    data: field,
    datatype: column,
    count: 1,
    offset: stride + index,
  })

  function exchangeHalo(field: Float64Array) {
    waitAll([
      world.irecvInto(rowAt(field, 0), { source: above }),
      world.irecvInto(rowAt(field, block.rows + 1), { source: below }),
      world.irecvInto(columnAt(field, 0), { source: left }),
      world.irecvInto(columnAt(field, block.columns + 1), { source: right }),
      world.isend(rowAt(field, 1), { dest: above }),
      world.isend(rowAt(field, block.rows), { dest: below }),
      world.isend(columnAt(field, 1), { dest: left }),
      world.isend(columnAt(field, block.columns), { dest: right }),
    ])
  }

  if (rank === 0) {
    console.log(`Heat spreads over a plate of ${plate.rows} x ${plate.columns} cells, in pieces:`)
    console.log(`${grid.rows} x ${grid.columns} ranks compute ${steps} steps together.\n`)
  }

  // Registered memory: a neighbour's cells arrive right where the next step reads them.
  let now = alloc(Float64Array, lengthOf(block))
  let next = alloc(Float64Array, lengthOf(block))
  const wires = wiresOf(block)
  heat(now, wires)

  world.barrier()
  const start = wtime()
  for (let count = 1; count <= steps; count++) {
    exchangeHalo(now)
    const change = step(block, wires, now, next)
    ;[now, next] = [next, now]
    if (count % 100 === 0) {
      const largest = world.allreduce(change, MAX)
      if (rank === 0)
        console.log(`step ${count}: no cell changes by more than ${largest.toFixed(3)} degrees`)
    }
  }
  const seconds = wtime() - start

  // Every rank sends its block without the halo; rank 0 receives it as a box of the whole plate.
  const inside = boxIn(block, { ...block, firstRow: 0, firstColumn: 0 })
  const sent = world.isend({ data: now, datatype: inside, count: 1 }, { dest: 0 })
  if (rank === 0) {
    const whole = { firstRow: 0, firstColumn: 0, ...plate }
    const field = alloc(Float64Array, lengthOf(whole))
    for (let source = 0; source < size; source++) {
      const from = { row: Math.floor(source / grid.columns), column: source % grid.columns }
      const box = boxIn(whole, blockAt(grid, from))
      world.recvInto({ data: field, datatype: box, count: 1 }, { source })
    }
    show(field)
    check(field, whole, seconds, size, wtime)
  }
  sent.wait()
}

/** As square a grid of ranks as their number allows, wider than high like the plate. */
function gridOf(size: number) {
  let rows = Math.floor(Math.sqrt(size))
  while (size % rows !== 0) rows--
  return { rows, columns: size / rows }
}

function blockAt(
  grid: { rows: number; columns: number },
  { row, column }: { row: number; column: number },
): Block {
  // Boundaries are rounded, so blocks differ by one row or column when it does not come out even.
  const rowAfter = (index: number) => Math.floor((index * plate.rows) / grid.rows)
  const columnAfter = (index: number) => Math.floor((index * plate.columns) / grid.columns)
  return {
    firstRow: rowAfter(row),
    firstColumn: columnAfter(column),
    rows: rowAfter(row + 1) - rowAfter(row),
    columns: columnAfter(column + 1) - columnAfter(column),
  }
}

/** The cells of `part` in the field of `block`, whose rim shifts everything by one. */
function boxIn(block: Block, part: Block) {
  return Datatype.subarray({
    sizes: [block.rows + 2, block.columns + 2],
    subsizes: [part.rows, part.columns],
    starts: [part.firstRow + 1, part.firstColumn + 1],
  })
}

function show(field: Float64Array) {
  const cellsPerPixel = 6
  const middle = cellsPerPixel / 2 + 1
  const at = (row: number, column: number) => {
    const cell =
      (row * cellsPerPixel + middle) * (plate.columns + 2) + column * cellsPerPixel + middle
    // What is hot glows far more than what is warm.
    return (field[cell] / 100) ** 2
  }
  const picture = { width: plate.columns / cellsPerPixel, height: plate.rows / cellsPerPixel, at }
  console.log(`\n${draw(picture).join('\n')}\n`)
}

function check(
  field: Float64Array,
  whole: Block,
  seconds: number,
  size: number,
  wtime: () => number,
) {
  const start = wtime()
  let now = new Float64Array(lengthOf(whole))
  let next = new Float64Array(lengthOf(whole))
  const wires = wiresOf(whole)
  heat(now, wires)
  for (let count = 0; count < steps; count++) {
    step(whole, wires, now, next)
    ;[now, next] = [next, now]
  }
  const serialSeconds = wtime() - start

  let different = 0
  for (let cell = 0; cell < field.length; cell++)
    if (!Object.is(field[cell], now[cell])) different++
  console.log(
    `${size} ranks took ${seconds.toFixed(2)} s, a serial run ${serialSeconds.toFixed(2)} s.`,
  )
  if (different > 0) throw new Error(`FAIL: ${different} cells differ from the serial run`)
  console.log(
    `PASS: all ${plate.rows * plate.columns} cells equal those of the serial run, bit for bit.`,
  )
}
