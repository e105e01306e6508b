/**
 * One operation as a report names it: what was called, with what, where.
 *
 * Plain data, structured-cloneable and JSON-able. It is made when a report is due, never on the hot
 * path.
 */

/** Operations that give something to a peer. */
export const SEND_NAMES = [
  'send',
  'ssend',
  'bsend',
  'rsend',
  'isend',
  'issend',
  'ibsend',
  'irsend',
] as const

/** Operations that take or look at a message. */
export const RECEIVE_NAMES = [
  'recv',
  'recvInto',
  'irecv',
  'irecvInto',
  'mrecv',
  'mrecvInto',
  'imrecv',
  'imrecvInto',
  'probe',
  'mprobe',
] as const

/** Operations that do both. */
export const EXCHANGE_NAMES = [
  'sendrecv',
  'sendrecvInto',
  'sendrecvReplace',
  'isendrecv',
  'isendrecvInto',
  'isendrecvReplace',
] as const

/** Operations that complete others. */
export const COMPLETION_NAMES = ['wait', 'waitAll', 'waitAny', 'waitSome', 'await'] as const

/** Non-blocking collectives that the list below does not hold yet. */
const I_FORMS = [
  'igather',
  'igatherInto',
  'igathervInto',
  'iscatter',
  'iscatterInto',
  'iscattervInto',
  'iallgather',
  'iallgatherInto',
  'iallgathervInto',
  'ialltoall',
  'ialltoallInto',
  'ialltoallvInto',
  'ireduce',
  'ireduceInto',
  'ireduceScatter',
  'ireduceScatterInto',
  'ireduceScatterBlockInto',
  'iscan',
  'iscanInto',
  'iexscan',
  'iexscanInto',
] as const

/** Operations of a whole communicator; `finalize` is the return from main(). */
export const COLLECTIVE_NAMES = [
  'barrier',
  'bcast',
  'bcastInto',
  'gather',
  'gatherInto',
  'gathervInto',
  'scatter',
  'scatterInto',
  'scattervInto',
  'allgather',
  'allgatherInto',
  'allgathervInto',
  'alltoall',
  'alltoallInto',
  'alltoallvInto',
  'reduce',
  'reduceInto',
  'allreduce',
  'allreduceInto',
  'reduceScatter',
  'reduceScatterInto',
  'reduceScatterBlockInto',
  'scan',
  'scanInto',
  'exscan',
  'exscanInto',
  'ibarrier',
  'ibcast',
  'ibcastInto',
  'iallreduce',
  'iallreduceInto',
  'dup',
  'split',
  'create',
  'finalize',
  ...I_FORMS,
  'idup',
  'splitType',
  'createGroup',
  'createCart',
  'sub',
  'isplit',
  'isplitType',
  'icreate',
  'icreateGroup',
  'icreateCart',
  'isub',
] as const

/** Every name in one table; its index is the number that shared memory and traces hold. Append only. */
export const OPERATION_NAMES = [
  ...SEND_NAMES,
  ...RECEIVE_NAMES,
  ...EXCHANGE_NAMES,
  ...COMPLETION_NAMES,
  ...COLLECTIVE_NAMES,
] as const

export type OperationName = (typeof OPERATION_NAMES)[number]

export interface OperationRecord {
  name: OperationName
  /** As the program wrote it, in the communicator's numbering; of an arrived message its source. */
  peer?: number | 'any' | 'null'
  /** The same peer as a rank of the world; absent for 'any', 'null' and collectives. */
  worldPeer?: number
  tag?: number | 'any'
  /** The receiving half of a sendrecv (its own operation); `peer` and `tag` above are the sending half. */
  receiving?: OperationRecord
  /** The communicator's name. */
  communicator: string
  /** The communicator's context id: two communicators may bear one name, so this decides when present. */
  context?: number
  /** Of a send or a message its size; of a receive into memory the room it has. */
  bytes?: number
  /** 'float64', ..., 'number', 'bigint', 'value'; absent when unknown or not declared. */
  kind?: string
  /** In elements of the kind. */
  count?: number
  /** Of a collective: how many its communicator had before it. */
  number?: number
  /** As the program called it, where that is no name of the table: `bcastInit`. */
  called?: string
  /** Of a rooted collective. */
  root?: number
  /** Of a reduction: the Op's name, such as 'SUM'. */
  reduction?: string
  /** Raw stack text; once located ('locateSnapshot') the `file:line:column` of the user's call. */
  site?: string
  /** How many operations of this rank came before it. */
  sequence: number
}
