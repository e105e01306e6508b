export { Communicator } from './communicator.js'
export { Group } from './group.js'
export { createMpi, type ArrayKind, type Attributes, type Mpi, type Program } from './mpi.js'
export type { PersistentRequest, Request } from './request.js'
