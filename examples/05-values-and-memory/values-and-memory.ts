import { Datatype, type Mpi } from '@commworld/mpi'

const rows = 3
const columns = 4

export default function main(mpi: Mpi) {
  const { world } = mpi
  if (world.size < 2) {
    console.log('this example takes two ranks: mpiexec -n 2 values-and-memory.ts')
    return
  }
  if (world.rank === 0) give(mpi)
  if (world.rank === 1) take(mpi)
}

function give({ world, alloc }: Mpi) {
  // A value: anything that can be told, whatever its shape.
  const visits = new Map([
    ['Turin', 2],
    ['Jena', 5],
  ])
  world.send({ visits, since: new Date('2026-01-31') }, { dest: 1, tag: 1 })

  // A typed array travels as the raw memory that it is.
  world.send(Float32Array.of(0.5, 1.5, 2.5), { dest: 1, tag: 2 })

  // Memory from `alloc` is registered: its bytes go straight into the other rank's array.
  const matrix = alloc(Float64Array, rows * columns)
  for (let index = 0; index < matrix.length; index++) matrix[index] = index
  world.send(matrix, { dest: 1, tag: 3 })

  // A datatype says which elements: here one of each row, that is a column. It begins at `offset`.
  const column = Datatype.vector({ count: rows, blockLength: 1, stride: columns })
  world.send({ data: matrix, datatype: column, count: 1, offset: 2 }, { dest: 1, tag: 4 })

  // And a box out of the middle.
  const box = Datatype.subarray({ sizes: [rows, columns], subsizes: [2, 2], starts: [1, 1] })
  world.send({ data: matrix, datatype: box, count: 1 }, { dest: 1, tag: 5 })
}

function take({ world, alloc }: Mpi) {
  // `recv` returns what was sent: a value, or a fresh typed array of the same kind.
  const { visits, since } = world.recv<{ visits: Map<string, number>; since: Date }>({
    source: 0,
    tag: 1,
  })
  console.log(`a value: ${visits.get('Jena')} visits to Jena since ${since.getUTCFullYear()}`)

  const numbers = world.recv<Float32Array>({ source: 0, tag: 2 })
  console.log(`a typed array: ${numbers.constructor.name} ${numbers.join(' ')}`)

  // `recvInto` fills memory you own and returns a status.
  const matrix = alloc(Float64Array, rows * columns)
  const { tag, count, bytes } = world.recvInto(matrix, { source: 0, tag: 3 })
  console.log(`memory: ${count} elements in ${bytes} bytes, sent with tag ${tag}`)

  // The two sides need the same elements in the same order, not the same datatype.
  const column = alloc(Float64Array, rows)
  world.recvInto(column, { source: 0, tag: 4 })
  console.log(`a column: ${column.join(' ')}`)

  const box = alloc(Float64Array, 4)
  world.recvInto(box, { source: 0, tag: 5 })
  console.log(`a box: ${box.join(' ')}`)
}
