import type { CollectiveName } from '@commworld/mpi'

/** Who takes which part in a collective (MPI 4.1, chapter 6). */
export interface CollectiveShape {
  readonly rooted: boolean
  /** A rank, or the root, gives something to every rank. */
  readonly givesEach: boolean
  /** A rank, or the root, gets something from every rank. */
  readonly getsEach: boolean
  readonly reduces: boolean
}

/** Every collective, told without the library. */
export const collectiveShapes: Readonly<Record<CollectiveName, CollectiveShape>> = {
  barrier: shape(),
  bcast: shape('rooted'),
  gather: shape('rooted', 'getsEach'),
  scatter: shape('rooted', 'givesEach'),
  allgather: shape('getsEach'),
  alltoall: shape('givesEach', 'getsEach'),
  reduce: shape('rooted', 'reduces'),
  allreduce: shape('reduces'),
  reduceScatter: shape('givesEach', 'reduces'),
  scan: shape('reduces'),
  exscan: shape('reduces'),
}

function shape(...traits: readonly (keyof CollectiveShape)[]): CollectiveShape {
  const has = (trait: keyof CollectiveShape): boolean => traits.includes(trait)
  return {
    rooted: has('rooted'),
    givesEach: has('givesEach'),
    getsEach: has('getsEach'),
    reduces: has('reduces'),
  }
}

/** Collectives of values, by the name of the method that blocks. */
export const valueNames = Object.keys(collectiveShapes) as readonly CollectiveName[]

/** A collective of memory. */
export interface MemoryOperation {
  readonly collective: CollectiveName
  /** Blocks with counts and displacements of their own: the v-forms. */
  readonly listed: boolean
  /** Where `IN_PLACE` may stand (MPI 4.1, chapter 6). */
  readonly inPlace: 'nowhere' | 'send' | 'send at root' | 'recv at root'
}

const blocksAlike = (
  collective: CollectiveName,
  inPlace: MemoryOperation['inPlace'],
): MemoryOperation => ({ collective, listed: false, inPlace })
const listed = (
  collective: CollectiveName,
  inPlace: MemoryOperation['inPlace'],
): MemoryOperation => ({ collective, listed: true, inPlace })

/** Collectives of memory, by the name of the method that blocks. */
export const memoryOperations = {
  bcastInto: blocksAlike('bcast', 'nowhere'),
  gatherInto: blocksAlike('gather', 'send at root'),
  gathervInto: listed('gather', 'send at root'),
  scatterInto: blocksAlike('scatter', 'recv at root'),
  scattervInto: listed('scatter', 'recv at root'),
  allgatherInto: blocksAlike('allgather', 'send'),
  allgathervInto: listed('allgather', 'send'),
  alltoallInto: blocksAlike('alltoall', 'send'),
  alltoallvInto: listed('alltoall', 'send'),
  reduceInto: blocksAlike('reduce', 'send at root'),
  allreduceInto: blocksAlike('allreduce', 'send'),
  reduceScatterBlockInto: blocksAlike('reduceScatter', 'send'),
  reduceScatterInto: listed('reduceScatter', 'send'),
  scanInto: blocksAlike('scan', 'send'),
  exscanInto: blocksAlike('exscan', 'send'),
} as const satisfies Record<string, MemoryOperation>

/** One of them. */
export type MemoryName = keyof typeof memoryOperations
/** Collectives of memory, by the name of the method that blocks. */
export const memoryNames = Object.keys(memoryOperations) as readonly MemoryName[]
