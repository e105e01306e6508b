import { MAX, MIN, type Mpi } from '@commworld/mpi'
import { showAtOnce } from './at-once.js'
import { showInPlace } from './in-place.js'
import { showInto } from './into.js'
import { Sheet } from './sheet.js'
import { showValues } from './values.js'
import { showVarying } from './varying.js'

const chapters = {
  values: showValues,
  into: showInto,
  varying: showVarying,
  'in-place': showInPlace,
  'at-once': showAtOnce,
}

// In a collective all ranks of a communicator take part, each by the same call. This tour shows what
// each of them moves from where to where: all chapters, or those named on the command line.
export default function main(mpi: Mpi) {
  const { world, args } = mpi
  const sheet = new Sheet(world)
  for (const [name, show] of Object.entries(chapters)) {
    if (args.length === 0 || args.includes(name)) show(mpi, sheet)
  }

  // Of a barrier there is no picture: it moves nothing but time. The clock is the same for all ranks.
  const arrival = mpi.wtime()
  world.barrier()
  const departure = mpi.wtime()
  if (world.allreduce(arrival, MAX) > world.allreduce(departure, MIN)) {
    throw new Error('FAIL: somebody left the barrier before everybody had come')
  }
  if (world.rank === 0) {
    console.log(`\nPASS: ${sheet.pictures} pictures are as they should be,`)
    console.log('and nobody left the barrier before everybody had come')
  }
}
