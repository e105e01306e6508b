// The public face of @commworld/mpi: re-exports only.

export {
  CartesianCommunicator,
  Communicator,
  Group,
  type ArrayKind,
  type Attributes,
  type Mpi,
  type PersistentRequest,
  type Program,
  type Request,
} from './api/index.js'
export type { AlgorithmOptions, RootOptions } from './api/index.js'
export type { CollectiveName } from './coll/plan/collective.js'
export { collectiveAlgorithms } from './coll/select/registry.js'
export type { NamedAlgorithms } from './coll/select/select.js'
export { createDims } from './comm/create-dims.js'
export { Datatype, type Memory, type TypedArray } from './datatype/index.js'
export type { CartOptions, SplitOptions, SplitTypeOptions } from './manage/index.js'
export { MatchedMessage as Message } from './engine/index.js'
export type {
  BlocksByRank,
  ProbeOptions,
  RecvOptions,
  SendOptions,
  SendrecvOptions,
} from './engine/index.js'
export * from './errors/index.js'
export { HeapError, LeftoverError, TimeoutError } from './launch/job/launch-errors.js'
export { launch } from './launch/launch.js'
export type { FabricOptions, LaunchOptions } from './launch/launch-options.js'
export { local } from './launch/local.js'
export type { LocalOptions } from './launch/local-options.js'
export { SpawnError } from './launch/program/spawn-error.js'
export {
  BAND,
  BOR,
  BXOR,
  LAND,
  LOR,
  LXOR,
  MAX,
  MAXLOC,
  MIN,
  MINLOC,
  Op,
  PROD,
  SUM,
} from './op/index.js'
export {
  testAll,
  testAny,
  testSome,
  waitAll,
  waitAny,
  waitSome,
  type Completion,
} from './p2p/completions.js'
export { startAll } from './p2p/persistent-request.js'
export { ANY_SOURCE, ANY_TAG, IN_PLACE, PROC_NULL, UNDEFINED } from './p2p/sentinels.js'
export type { InPlace, Peer, Source, Tag } from './p2p/sentinels.js'
export { Status } from './p2p/status.js'
