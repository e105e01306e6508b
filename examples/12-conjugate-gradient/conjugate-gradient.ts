import { PROC_NULL, SUM, type Mpi } from '@commworld/mpi'
import { draw } from '../picture.js'
import { plot } from '../plot.js'
import {
  addTo,
  applyStencil,
  dot,
  lengthOf,
  load,
  pointsPerSide,
  scaleAndAdd,
  stride,
  type Share,
} from './membrane.js'

const tolerance = 1e-8

// Conjugate gradients solve A u = f with nothing but products A p, sums of vectors, and dot products.
// Each rank has some rows of the grid. A product needs the rows next to them: a halo exchange. A dot
// product needs everybody: an allreduce. The rest is done by each rank for itself.
export default function main({ world, alloc }: Mpi) {
  const { rank, size } = world
  const firstRow = (of: number) => Math.floor((of * pointsPerSide) / size)
  const share = { firstRow: firstRow(rank), rows: firstRow(rank + 1) - firstRow(rank) }
  const above = rank > 0 ? rank - 1 : PROC_NULL
  const below = rank < size - 1 ? rank + 1 : PROC_NULL

  function exchangeHalo(field: Float64Array) {
    const row = (index: number) => field.subarray(index * stride, (index + 1) * stride)
    const [first, last] = [1, share.rows]
    world.sendrecvInto(row(first), row(last + 1), { dest: above, source: below })
    world.sendrecvInto(row(last), row(first - 1), { dest: below, source: above })
  }
  const dotOfAll = (a: Float64Array, b: Float64Array) => world.allreduce(dot(share, a, b), SUM)

  const newField = () => alloc(Float64Array, lengthOf(share))
  const [u, residual, direction, product] = [newField(), newField(), newField(), newField()]
  load(share, residual)
  direction.set(residual)

  let squares = dotOfAll(residual, residual)
  const history = [1]
  const squaresAtFirst = squares
  while (history[history.length - 1] > tolerance) {
    exchangeHalo(direction)
    applyStencil(share, direction, product)
    const length = squares / dotOfAll(direction, product)
    addTo(u, length, direction)
    addTo(residual, -length, product)
    const squaresBefore = squares
    squares = dotOfAll(residual, residual)
    // The next direction is the residual without what would undo the directions so far.
    scaleAndAdd(direction, squares / squaresBefore, residual)
    // All ranks have the same sum to the bit, so that all of them leave the loop together.
    history.push(Math.sqrt(squares / squaresAtFirst))
  }

  // The rows of all ranks make up the inside of one field on rank 0.
  const counts = Array.from({ length: size }, (_, of) => (firstRow(of + 1) - firstRow(of)) * stride)
  const all: Share = { firstRow: 0, rows: pointsPerSide }
  const whole = rank === 0 ? alloc(Float64Array, lengthOf(all)) : undefined
  world.gathervInto(
    u.subarray(stride, (share.rows + 1) * stride),
    whole && { data: whole.subarray(stride), counts },
  )
  if (whole) {
    console.log(`${pointsPerSide} x ${pointsPerSide} points, rows shared by ${size} ranks`)
    console.log('the residual, as a part of what it was at first:\n')
    console.log(plot({ values: history, scale: 'logarithmic', along: 'iterations' }).join('\n'))
    console.log('\nheights of the membrane:\n')
    show(whole)
    check(all, whole)
  }
}

function show(field: Float64Array) {
  const pointsPerPixel = 2
  const pixels = pointsPerSide / pointsPerPixel
  const deepest = field.reduce((most, value) => Math.max(most, value))
  const at = (row: number, column: number) => {
    const point = (row * pointsPerPixel + 1) * stride + column * pointsPerPixel + 1
    // Bands of height, as on a map.
    return (Math.floor((field[point] / deepest) * 9.99) % 2) * 0.5 + (field[point] / deepest) * 0.5
  }
  console.log(draw({ width: pixels, height: pixels, at }).join('\n'))
}

/** Rank 0 puts the whole solution into the equations. */
function check(all: Share, u: Float64Array) {
  const [f, product] = [new Float64Array(lengthOf(all)), new Float64Array(lengthOf(all))]
  load(all, f)
  applyStencil(all, u, product)
  addTo(product, -1, f)
  const error = Math.sqrt(dot(all, product, product) / dot(all, f, f))
  if (!(error < 2 * tolerance)) throw new Error(`FAIL: A u and f differ by ${error} of f`)
  console.log(`\nPASS: A u and f differ by less than ${2 * tolerance} of f`)
}
