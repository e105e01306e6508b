/** Runs what times collectives once for each of them, in one job; the programs check their results. */
import type { Mpi } from '@commworld/mpi'
import overlap from './coll-overlap.js'
import coll from './coll.js'
import { COLLECTIVES } from './collectives.js'

export default function main(mpi: Mpi) {
  for (const name of Object.keys(COLLECTIVES)) {
    coll({ ...mpi, args: [name, ...mpi.args] })
    coll({ ...mpi, args: [name, '--values', ...mpi.args] })
    overlap({ ...mpi, args: [name, '-t', '2', ...mpi.args] })
  }
}
