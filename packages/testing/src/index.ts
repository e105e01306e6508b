// The public face of @commworld/testing: re-exports only.

export {
  assertAlgorithm,
  checkAlgorithm,
  type AlgorithmCheck,
} from './algorithms/check-algorithm.js'
export { AlgorithmFaultError, type AlgorithmFault } from './algorithms/fault.js'
export type { FaultKind } from './algorithms/run-case.js'
export { drawArrows, type Arrow } from './picture/arrows.js'
export { rootOf, ranks } from './arbitraries/ranks.js'
export {
  describeSchedule,
  FIRST_COME,
  scriptOf,
  sourceOf,
  type Schedule,
} from './choices/schedule.js'
export { deviations, schedules, type ScheduleConstraints } from './choices/schedules.js'
export { Coverage, CoverageError, type State } from './oracles/coverage.js'
export { drawMessages, messagesOf } from './picture/messages.js'
export {
  forAllWorlds,
  worldsOf,
  type WorldJudge,
  type WorldProgram,
  type WorldsOptions,
} from './property/for-all-worlds.js'
export { WorldFailure } from './property/world-failure.js'
export {
  MonitorError,
  replayWorld,
  runWorld,
  type WorldRun,
  type WorldSettings,
} from './worlds/run-world.js'
export {
  describeDeviation,
  formatChoices,
  parseChoices,
  pct,
  pctcp,
  type ChoiceSource,
  type PriorityOptions,
  type RecordedDeviation,
} from '@commworld/transport'
export {
  divergenceOf,
  DivergenceError,
  explore,
  leaksOf,
  type Divergence,
  type Exploration,
  type ExploreOptions,
  type FoundFailure,
  type Holdings,
  type MessageWays,
  type Plan,
  type RunTrial,
  type Trial,
} from '@commworld/mpi/inspect'
export type { World } from './property/world-arbitrary.js'
export {
  algorithmNames,
  algorithms,
  algorithmsFor,
  cardsOf,
  serves,
  type AlgorithmChoice,
  type AlgorithmConstraints,
} from './arbitraries/algorithms.js'
export {
  AT_ONCE,
  coroutines,
  threads,
  timings,
  type Carrier,
  type Finding,
  type Form,
  type Timing,
} from './arbitraries/carriers.js'
export {
  collectiveShapes,
  memoryNames,
  memoryOperations,
  valueNames,
  type CollectiveShape,
  type MemoryName,
  type MemoryOperation,
} from './arbitraries/collectives.js'
export {
  communicators,
  makeCommunicator,
  type CommunicatorShape,
} from './arbitraries/communicators.js'
export { counts, layouts, type CountConstraints, type Layout } from './arbitraries/counts.js'
export {
  bigElementKinds,
  elementKinds,
  filled,
  fillings,
  hostileFilling,
  hostileFloats,
  kinds,
  type ElementKind,
  type Filling,
} from './arbitraries/elements.js'
export { networkFaults, HARMLESS_FAULTS } from './arbitraries/faults.js'
export { contentNames, contents, type ContentName } from './arbitraries/contents.js'
export {
  elementReductionNames,
  elementReductions,
  type ElementReduction,
  type ElementReductionName,
} from './arbitraries/element-reductions.js'
export { kindNames, type KindName } from './arbitraries/element-types.js'
export { flights, type Flight, type FlightStep, type MessageStep } from './arbitraries/flights.js'
export { memoryCalls, type CallConstraints, type MemoryCall } from './arbitraries/memory-calls.js'
export {
  places,
  typedLayouts,
  untypedLayouts,
  type PlaceLayout,
  type PlaceShape,
} from './arbitraries/places.js'
export { drawing, scrambled } from './arbitraries/seeded.js'
export { valueCalls, type ValueCall } from './arbitraries/value-calls.js'
export {
  anyReduction,
  reductionNames,
  reductions,
  valueReductions,
  type Reduction,
  type ReductionName,
} from './arbitraries/value-reductions.js'
export { performFlight, type Blocking } from './conformance/flight.js'
export { performMemoryCall } from './conformance/memory-part.js'
export { turn, turns } from './conformance/started-call.js'
export { performValueCall } from './conformance/value-part.js'
export {
  programs,
  type MatchedMessage,
  type MatchedProgram,
  type Step,
} from './arbitraries/programs.js'
export { outcomeFault, perform, type Gain, type Outcome } from './conformance/matched-program.js'
export {
  datatypes,
  elementsOfDatatype,
  extentOfDatatype,
  makeDatatype,
  type DatatypeShape,
} from './arbitraries/datatypes.js'
export { assertAssociative, OperationLawError } from './oracles/associativity.js'
export {
  COMMUTATIVE_TREE,
  contribution,
  contributionFault,
  contributorsOf,
  TREE,
  treeFault,
  type ContributionRules,
} from './oracles/contributions.js'
export { bitsFault, roundingFault, sameBits } from './oracles/floats.js'
export { laws, type Law, type LawInput } from './oracles/laws.js'
export { blocksOf, modelOf, type Question } from './oracles/model.js'
export { forAllLaws, type LawData, type LawOptions } from './property/for-all-laws.js'
export {
  createWorld,
  ThreadRunError,
  ThreadWorld,
  type ThreadRun,
  type ThreadRunOptions,
} from './worlds/create-world.js'
export type { PoolOptions } from '@commworld/mpi/inspect'
export {
  ChoicesSyntaxError,
  describeFault,
  misfitsOf,
  NETWORK_FAULTS,
  ScriptError,
  type NetworkFault,
  type StruckFault,
} from '@commworld/transport'
export {
  CrashedError,
  EndlessLoopError,
  LivenessError,
  UnreachableError,
} from '@commworld/mpi/inspect'
