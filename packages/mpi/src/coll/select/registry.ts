import * as allgather from '../allgather/index.js'
import * as allreduce from '../allreduce/index.js'
import * as alltoall from '../alltoall/index.js'
import * as barrier from '../barrier/index.js'
import * as bcast from '../bcast/index.js'
import * as exscan from '../exscan/index.js'
import * as gather from '../gather/index.js'
import type { Algorithm } from '../plan/algorithm.js'
import type { CollectiveName } from '../plan/collective.js'
import * as reduceScatter from '../reduce-scatter/index.js'
import * as reduce from '../reduce/index.js'
import * as scan from '../scan/index.js'
import * as scatter from '../scatter/index.js'

const FOLDERS: Readonly<Record<CollectiveName, Readonly<Record<string, Algorithm>>>> = {
  barrier,
  bcast,
  gather,
  scatter,
  allgather,
  alltoall,
  reduce,
  allreduce,
  reduceScatter,
  scan,
  exscan,
}

/**
 * Every algorithm of every collective: what dispatch, `mpiexec --info coll`, the table in the
 * documentation and the conformance tests read.
 */
export const collectiveAlgorithms: readonly Algorithm[] = Object.values(FOLDERS).flatMap((folder) =>
  Object.values(folder),
)

/** The algorithms of one collective. */
export function algorithmsOf(collective: CollectiveName): readonly Algorithm[] {
  return byCollective.get(collective)!
}

export function algorithmNamed(collective: CollectiveName, name: string): Algorithm | undefined {
  return algorithmsOf(collective).find((algorithm) => algorithm.name === name)
}

const byCollective = new Map(
  (Object.keys(FOLDERS) as CollectiveName[]).map((name) => [name, Object.values(FOLDERS[name])]),
)
