import { Datatype, MAX, waitAll, type Mpi } from '@commworld/mpi'
import { draw } from '../picture.js'
import { blockOf, gridOf, neighboursOf } from './grid.js'
import { heat, lengthOf, plate, serialRun, step, strideOf, wholePlate, wiresOf } from './plate.js'
import type { Block } from './plate.js'

const steps = 400

// The plate is cut into a grid of blocks, one for each rank. A step needs the cells just beyond a
// block's border, its halo: before every step neighbours give each other their outermost cells.
export default function main({ world, alloc, wtime }: Mpi) {
  const { rank, size } = world
  const grid = gridOf(size)
  const block = blockOf(grid, rank)
  const { above, below, left, right } = neighboursOf(grid, rank)
  if (rank === 0) {
    console.log(`Heat spreads over a plate of ${plate.rows} x ${plate.columns} cells, in pieces:`)
    console.log(`${grid.rows} x ${grid.columns} ranks compute ${steps} steps together.\n`)
  }

  // A row lies in one piece. The cells of a column are a stride apart, which a datatype can say.
  const stride = strideOf(block)
  const column = Datatype.vector({ count: block.rows, blockLength: 1, stride })
  const rowOf = (field: Float64Array, row: number) =>
    field.subarray(row * stride + 1, row * stride + 1 + block.columns)
  const columnOf = (data: Float64Array, index: number) => ({
    data,
    datatype: column,
    count: 1,
    offset: stride + index,
  })

  function exchangeHalo(field: Float64Array) {
    waitAll([
      world.irecvInto(rowOf(field, 0), { source: above }),
      world.irecvInto(rowOf(field, block.rows + 1), { source: below }),
      world.irecvInto(columnOf(field, 0), { source: left }),
      world.irecvInto(columnOf(field, block.columns + 1), { source: right }),
      world.isend(rowOf(field, 1), { dest: above }),
      world.isend(rowOf(field, block.rows), { dest: below }),
      world.isend(columnOf(field, 1), { dest: left }),
      world.isend(columnOf(field, block.columns), { dest: right }),
    ])
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
      const largest = world.allreduce(change, MAX).toFixed(3)
      if (rank === 0) console.log(`step ${count}: no cell changes by more than ${largest} degrees`)
    }
  }
  const seconds = wtime() - start

  // Every rank sends its block without the halo. Rank 0 receives each as a box of the whole plate.
  const inside = boxIn(block, { ...block, firstRow: 0, firstColumn: 0 })
  const sent = world.isend({ data: now, datatype: inside, count: 1 }, { dest: 0 })
  if (rank === 0) {
    const field = alloc(Float64Array, lengthOf(wholePlate))
    for (let source = 0; source < size; source++) {
      const box = boxIn(wholePlate, blockOf(grid, source))
      world.recvInto({ data: field, datatype: box, count: 1 }, { source })
    }
    show(field)

    const serialStart = wtime()
    const expected = serialRun(steps)
    const serialSeconds = (wtime() - serialStart).toFixed(2)
    console.log(`${size} ranks took ${seconds.toFixed(2)} s, a serial run ${serialSeconds} s.`)
    check(field, expected)
  }
  sent.wait()
}

/** The cells of `part` in the field of `block`, whose halo shifts everything by one. */
function boxIn(block: Block, part: Block) {
  return Datatype.subarray({
    sizes: [block.rows + 2, block.columns + 2],
    subsizes: [part.rows, part.columns],
    starts: [part.firstRow + 1, part.firstColumn + 1],
  })
}

function show(field: Float64Array) {
  const cellsPerPixel = 6
  const stride = strideOf(wholePlate)
  const middle = cellsPerPixel / 2 + 1
  const at = (row: number, column: number) => {
    const cell = (row * cellsPerPixel + middle) * stride + column * cellsPerPixel + middle
    // What is hot glows far more than what is warm.
    return (field[cell] / 100) ** 2
  }
  const picture = { width: plate.columns / cellsPerPixel, height: plate.rows / cellsPerPixel, at }
  console.log(`\n${draw(picture).join('\n')}\n`)
}

function check(field: Float64Array, expected: Float64Array) {
  let different = 0
  for (let cell = 0; cell < field.length; cell++) {
    if (!Object.is(field[cell], expected[cell])) different++
  }
  if (different > 0) throw new Error(`FAIL: ${different} cells differ from those of the serial run`)
  const cells = plate.rows * plate.columns
  console.log(`PASS: all ${cells} cells equal those of the serial run, bit for bit.`)
}
