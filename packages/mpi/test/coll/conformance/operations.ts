import type { Communicator, PersistentRequest, Request } from '@commworld/mpi'
import type { CollectiveName } from './oracle.js'

/** Where `IN_PLACE` may stand (MPI 4.1, chapter 6). */
export type InPlace = 'nowhere' | 'send' | 'send at root' | 'recv at root'

export interface MemoryOperation {
  readonly collective: CollectiveName
  /** Blocks with counts and displacements of their own. */
  readonly listed: boolean
  readonly inPlace: InPlace
}

const one = (collective: CollectiveName, inPlace: InPlace): MemoryOperation => {
  return { collective, listed: false, inPlace }
}
const listed = (collective: CollectiveName, inPlace: InPlace): MemoryOperation => {
  return { collective, listed: true, inPlace }
}

export const memoryOperations = {
  bcastInto: one('bcast', 'nowhere'),
  gatherInto: one('gather', 'send at root'),
  gathervInto: listed('gather', 'send at root'),
  scatterInto: one('scatter', 'recv at root'),
  scattervInto: listed('scatter', 'recv at root'),
  allgatherInto: one('allgather', 'send'),
  allgathervInto: listed('allgather', 'send'),
  alltoallInto: one('alltoall', 'send'),
  alltoallvInto: listed('alltoall', 'send'),
  reduceInto: one('reduce', 'send at root'),
  allreduceInto: one('allreduce', 'send'),
  reduceScatterBlockInto: one('reduceScatter', 'send'),
  reduceScatterInto: listed('reduceScatter', 'send'),
  scanInto: one('scan', 'send'),
  exscanInto: one('exscan', 'send'),
} as const satisfies Record<string, MemoryOperation>

export type MemoryName = keyof typeof memoryOperations
export const memoryNames = Object.keys(memoryOperations) as MemoryName[]

export type Form = 'blocking' | 'started' | 'persistent'

/** A call that can be made once, or of the persistent form several times. */
export interface Starter {
  /** A request, or of the blocking form the result. */
  start(): unknown
  free(): void
}

type Methods = Record<string, (...parameters: readonly unknown[]) => unknown>

/** Sets up a collective of a communicator: `name` is that of its blocking form. */
export function setUp(
  on: Communicator,
  name: string,
  form: Form,
  parameters: readonly unknown[],
): Starter {
  const methods = on as unknown as Methods
  if (form === 'persistent') {
    return methods[`${name}Init`](...parameters) as PersistentRequest<unknown>
  }
  const verb = form === 'blocking' ? name : `i${name}`
  return { start: () => methods[verb](...parameters), free: () => {} }
}

/** How a rank finds out that a request is complete. */
export type Finding = 'await' | 'test' | 'wait'

/** What a started collective gives. */
export async function finish(started: unknown, form: Form, finding: Finding): Promise<unknown> {
  if (form === 'blocking') return started
  const request = started as Request<unknown>
  if (finding === 'await') return await request
  if (finding === 'test') while (!request.test()) await turn()
  return request.wait()
}

/** Lets the event loop turn once. */
export function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn()
}
