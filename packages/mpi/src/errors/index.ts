export {
  ArgumentError,
  BufferError,
  CountError,
  DimsError,
  GroupError,
  type ArgumentFacts,
} from './argument-errors.js'
export {
  AgreementError,
  AlgorithmError,
  BlockError,
  type CollectiveFacts,
} from './collective-errors.js'
export { article, className, describe, quantity } from './describe.js'
export { RankError, RootError, TagError, type RankFacts } from './envelope-errors.js'
export { errorClasses, type ErrorClass } from './error-class.js'
export {
  CommunicatorError,
  DatatypeError,
  InStatusError,
  OpError,
  PendingError,
  RequestError,
  TopologyError,
  type RequestProblem,
} from './handle-errors.js'
export {
  BufferSpaceError,
  ContentError,
  MemoryUseError,
  NoMemoryError,
  OverlapError,
  StagedCopyError,
  type MemoryProblem,
} from './memory-errors.js'
export {
  MismatchError,
  TruncateError,
  ValueError,
  type MessageFacts,
  type TruncateFacts,
} from './message-errors.js'
export { MpiError } from './mpi-error.js'
export { packError, restoreError, type TravellingError } from './travelling-error.js'
export {
  AbortedError,
  CrashedError,
  DeadlockError,
  FruitlessPollError,
  InternalError,
  LivenessError,
  SharedThreadError,
  UnreachableError,
} from './world-errors.js'
