import { ANY_SOURCE, type Communicator, type Mpi } from '@commworld/mpi'
import { draw } from '../picture.js'

const height = 44
const width = 76
const maxIterations = 5000

const WORK = 1
const STOP = 2
type Result = { row: number; iterations: number[] }

// A row inside the set takes a hundred times as long as one outside, so nobody can deal out the rows
// fairly beforehand. A master hands them out one at a time: who is done early gets more.
export default async function main({ world }: Mpi) {
  if (world.size === 1) {
    console.log('alone: the master computes every row (try mpiexec -n 4)')
    show(wholeImage())
  } else if (world.rank === 0) {
    await runMaster(world)
  } else {
    await runWorker(world)
  }
}

async function runMaster(world: Communicator) {
  const image: number[][] = []
  const rowsDone = new Array<number>(world.size).fill(0)
  let nextRow = 0
  let working = 0

  async function give(worker: number) {
    if (nextRow < height) {
      working++
      await world.isend(nextRow++, { dest: worker, tag: WORK })
    } else {
      await world.isend(undefined, { dest: worker, tag: STOP })
    }
  }

  for (let worker = 1; worker < world.size; worker++) await give(worker)
  while (working > 0) {
    // Whoever answers first: the status tells who it was.
    const answer = world.irecv<Result>({ source: ANY_SOURCE })
    const { row, iterations } = await answer
    const worker = Number(answer.status.source)
    image[row] = iterations
    rowsDone[worker]++
    working--
    await give(worker)
  }

  show(image)
  console.log(`rows computed by ranks 1 to ${world.size - 1}: ${rowsDone.slice(1).join(' ')}`)
  if (!isSame(image, wholeImage())) throw new Error('FAIL: the image is not that of a serial run')
  console.log('PASS: the image equals that of a serial run')
}

async function runWorker(world: Communicator) {
  for (;;) {
    const order = world.irecv<number>({ source: 0 })
    const row = await order
    if (order.status.tag === STOP) return
    const result: Result = { row, iterations: rowOf(row) }
    await world.isend(result, { dest: 0 })
  }
}

/** For each point of a row, how many steps of z := z² + c it takes to leave the circle of radius 2. */
function rowOf(row: number): number[] {
  const iterations: number[] = []
  const imaginary = (row / (height - 1) - 0.5) * 2.4
  for (let column = 0; column < width; column++) {
    const real = (column / (width - 1)) * 3.4 - 2.4
    let [x, y, count] = [0, 0, 0]
    while (count < maxIterations && x * x + y * y <= 4) {
      ;[x, y] = [x * x - y * y + real, 2 * x * y + imaginary]
      count++
    }
    iterations.push(count)
  }
  return iterations
}

function wholeImage(): number[][] {
  return Array.from({ length: height }, (_, row) => rowOf(row))
}

function isSame(image: number[][], other: number[][]): boolean {
  return image.every((line, row) => line.every((count, column) => count === other[row][column]))
}

function show(image: number[][]) {
  const at = (row: number, column: number) => {
    const count = image[row][column]
    return count === maxIterations ? 0 : Math.log(count) / Math.log(60)
  }
  console.log(draw({ width, height, at }).join('\n'))
}
