import { operationCode, TraceFlag } from '../record/trace.js'
import type { OperationName } from '../record/operation.js'
import { collectives, type CollectiveName } from './plan/collective.js'

/** Where `IN_PLACE` may stand instead of a buffer (MPI 4.1, chapter 6). */
export type InPlaceAt = 'nowhere' | 'send' | 'send at root' | 'recv at root'

/** One operation of the face that is a collective: which, on values or memory, with which buffers. */
export interface CollectiveOperation {
  readonly name: OperationName
  /** Its non-blocking form. */
  readonly iName: OperationName
  readonly collective: CollectiveName
  readonly family: 'values' | 'memory'
  /** Blocks have lengths and places of their own: the v-forms. */
  readonly listed: boolean
  /** Whether it makes a communicator: what it carries is the library's own. */
  readonly making: boolean
  readonly inPlace: InPlaceAt
  readonly code: number
  readonly iCode: number
  /** Its number, for agreement. */
  readonly number: number
  readonly traceFlag: number
}

const LIST: CollectiveOperation[] = []

function operation(
  name: OperationName,
  collective: CollectiveName,
  family: 'values' | 'memory',
  rest: { listed?: true; inPlace?: InPlaceAt; making?: true } = {},
): CollectiveOperation {
  const { listed = false, inPlace = 'nowhere', making = false } = rest
  const iName = `i${name}` as OperationName
  const made: CollectiveOperation = {
    name,
    iName,
    collective,
    family,
    listed,
    making,
    inPlace,
    code: operationCode(name),
    iCode: operationCode(iName),
    number: LIST.length,
    traceFlag: traceFlagOf(collective),
  }
  LIST.push(made)
  return made
}

/** Whom a member needs, for the wait-for graph and the replay of traces. */
function traceFlagOf(collective: CollectiveName): number {
  const { rooted, outputAt } = collectives[collective]
  if (rooted) return outputAt === 'root' ? TraceFlag.toRoot : TraceFlag.fromRoot
  return collective === 'scan' || collective === 'exscan'
    ? TraceFlag.fromLower
    : TraceFlag.everybody
}

export const BARRIER = operation('barrier', 'barrier', 'values')
export const BCAST = operation('bcast', 'bcast', 'values')
export const GATHER = operation('gather', 'gather', 'values')
export const SCATTER = operation('scatter', 'scatter', 'values')
export const ALLGATHER = operation('allgather', 'allgather', 'values')
export const ALLTOALL = operation('alltoall', 'alltoall', 'values')
export const REDUCE = operation('reduce', 'reduce', 'values')
export const ALLREDUCE = operation('allreduce', 'allreduce', 'values')
export const REDUCE_SCATTER = operation('reduceScatter', 'reduceScatter', 'values')
export const SCAN = operation('scan', 'scan', 'values')
export const EXSCAN = operation('exscan', 'exscan', 'values')

export const BCAST_INTO = operation('bcastInto', 'bcast', 'memory')
export const GATHER_INTO = operation('gatherInto', 'gather', 'memory', { inPlace: 'send at root' })
export const GATHERV_INTO = operation('gathervInto', 'gather', 'memory', {
  listed: true,
  inPlace: 'send at root',
})
export const SCATTER_INTO = operation('scatterInto', 'scatter', 'memory', {
  inPlace: 'recv at root',
})
export const SCATTERV_INTO = operation('scattervInto', 'scatter', 'memory', {
  listed: true,
  inPlace: 'recv at root',
})
export const ALLGATHER_INTO = operation('allgatherInto', 'allgather', 'memory', { inPlace: 'send' })
export const ALLGATHERV_INTO = operation('allgathervInto', 'allgather', 'memory', {
  listed: true,
  inPlace: 'send',
})
export const ALLTOALL_INTO = operation('alltoallInto', 'alltoall', 'memory', { inPlace: 'send' })
export const ALLTOALLV_INTO = operation('alltoallvInto', 'alltoall', 'memory', {
  listed: true,
  inPlace: 'send',
})
export const REDUCE_INTO = operation('reduceInto', 'reduce', 'memory', { inPlace: 'send at root' })
export const ALLREDUCE_INTO = operation('allreduceInto', 'allreduce', 'memory', { inPlace: 'send' })
export const REDUCE_SCATTER_BLOCK_INTO = operation(
  'reduceScatterBlockInto',
  'reduceScatter',
  'memory',
  { inPlace: 'send' },
)
export const REDUCE_SCATTER_INTO = operation('reduceScatterInto', 'reduceScatter', 'memory', {
  listed: true,
  inPlace: 'send',
})
export const SCAN_INTO = operation('scanInto', 'scan', 'memory', { inPlace: 'send' })
export const EXSCAN_INTO = operation('exscanInto', 'exscan', 'memory', { inPlace: 'send' })

// Making communicators (manage/): exchanges under names of their own.
const making = (name: OperationName): CollectiveOperation =>
  operation(name, 'allgather', 'memory', { inPlace: 'send', making: true })
export const DUP = operation('dup', 'bcast', 'values', { making: true })
export const SPLIT = making('split')
export const SPLIT_TYPE = making('splitType')
export const CREATE = making('create')
export const CREATE_GROUP = operation('createGroup', 'bcast', 'values', { making: true })
export const CREATE_CART = making('createCart')
export const SUB = making('sub')

/** All of them; the index is the number. */
export const COLLECTIVE_OPERATIONS: readonly CollectiveOperation[] = LIST
