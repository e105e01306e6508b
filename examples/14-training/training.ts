import { IN_PLACE, MAX, MIN, SUM, type Communicator, type Mpi } from '@commworld/mpi'
import { draw } from '../picture.js'
import { plot } from '../plot.js'
import { addGradient, fillParameters, parameterCount, probabilityAt } from './network.js'
import { pointCount, pointOf } from './spirals.js'

const epochs = 180
const learningRate = 0.5
const momentum = 0.95

export default function main(mpi: Mpi) {
  const { world, self } = mpi
  const { parameters, losses } = train(world, mpi)
  if (world.rank === 0) {
    console.log(`${pointCount} points on ${world.size} ranks, ${parameterCount} parameters`)
    console.log('mean loss:\n')
    console.log(plot({ values: losses, scale: 'linear', along: 'epochs' }).join('\n'))
    console.log('\nwhat the network thinks of each place, and the points it has learnt from:\n')
    show(parameters)
  }

  // If all ranks have the same parameters to the bit, the largest of each is the smallest of each.
  const [largest, smallest] = [new Float64Array(parameterCount), new Float64Array(parameterCount)]
  world.allreduceInto(parameters, largest, MAX)
  world.allreduceInto(parameters, smallest, MIN)
  if (!largest.every((value, index) => Object.is(value, smallest[index]))) {
    throw new Error('FAIL: the ranks do not have the same parameters')
  }

  // Rank 0 trains once more in a world of its own, on all points.
  if (world.rank > 0) return
  const alone = train(self, mpi)
  const difference = largestDifference(parameters, alone.parameters)
  const wrong = countWrong(parameters)
  console.log(`\nloss ${losses[0].toFixed(3)} at first, ${losses[epochs - 1].toFixed(4)} at last`)
  console.log(
    `largest difference to the parameters of one rank alone: ${difference.toExponential(0)}`,
  )
  if (!(difference < 1e-6)) throw new Error('FAIL: one rank alone learns something else')
  if (wrong > 0) throw new Error(`FAIL: ${wrong} points are taken for the other spiral`)
  console.log('PASS: the same parameters on all ranks and on one alone; all points told apart')
}

// Data-parallel training. Every rank has the whole model and some of the points. It adds up the
// gradient over its points; an allreduce makes of it the gradient over all points; and as all ranks
// take the same step from the same parameters, their models stay the same without being sent.
function train(comm: Communicator, { alloc }: Mpi) {
  const share = (of: number) => Math.floor((of * pointCount) / comm.size)
  const parameters = new Float64Array(parameterCount)
  fillParameters(parameters)
  const velocity = new Float64Array(parameterCount)
  const losses: number[] = []
  // The loss travels as one number more, so that an epoch is one message.
  const sums = alloc(Float64Array, parameterCount + 1)
  for (let epoch = 0; epoch < epochs; epoch++) {
    sums.fill(0)
    for (let index = share(comm.rank); index < share(comm.rank + 1); index++) {
      sums[parameterCount] += addGradient(sums, parameters, pointOf(index))
    }
    comm.allreduceInto(IN_PLACE, sums, SUM)
    for (let index = 0; index < parameterCount; index++) {
      velocity[index] = momentum * velocity[index] - (learningRate * sums[index]) / pointCount
      parameters[index] += velocity[index]
    }
    losses.push(sums[parameterCount] / pointCount)
  }
  return { parameters, losses }
}

/** Dark where the network sees the one spiral, bright where the other; its points darker and brighter. */
function show(parameters: Float64Array) {
  const [width, height] = [56, 48]
  const labels = new Map<number, number>()
  for (let index = 0; index < pointCount; index++) {
    const { x, y, label } = pointOf(index)
    const [row, column] = [(1 - y) * (height / 2 - 1), (x + 1) * (width / 2 - 1)]
    // A point is as high as wide: two rows, which are one line of text.
    labels.set(Math.floor(row / 2) * width + Math.round(column), label)
  }
  const at = (row: number, column: number) => {
    const place = { x: column / (width / 2 - 1) - 1, y: 1 - row / (height / 2 - 1) }
    const label = labels.get(Math.floor(row / 2) * width + column)
    return label ?? 0.25 + 0.4 * probabilityAt(parameters, place)
  }
  console.log(draw({ width, height, at }).join('\n'))
}

function countWrong(parameters: Float64Array): number {
  let wrong = 0
  for (let index = 0; index < pointCount; index++) {
    const point = pointOf(index)
    if (Math.round(probabilityAt(parameters, point)) !== point.label) wrong++
  }
  return wrong
}

function largestDifference(parameters: Float64Array, others: Float64Array): number {
  return parameters.reduce(
    (largest, value, index) => Math.max(largest, Math.abs(value - others[index])),
    0,
  )
}
