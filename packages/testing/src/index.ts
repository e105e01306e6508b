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
export { divergenceOf, DivergenceError, type Divergence } from './worlds/divergence.js'
export {
  misfitsOf,
  MonitorError,
  replayWorld,
  runWorld,
  ScriptError,
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
  explore,
  leaksOf,
  type Exploration,
  type ExploreOptions,
  type FoundFailure,
  type Holdings,
  type Plan,
  type RunTrial,
  type Trial,
} from '@commworld/mpi/inspect'
export type { World } from './property/world-arbitrary.js'
export {
  algorithms,
  algorithmsFor,
  type AlgorithmChoice,
  type AlgorithmConstraints,
} from './arbitraries/algorithms.js'
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
  hostileFloats,
  kinds,
  type ElementKind,
  type Filling,
} from './arbitraries/elements.js'
export { networkFaults, HARMLESS_FAULTS } from './arbitraries/faults.js'
export { anyReduction, reductions, type Reduction } from './arbitraries/operations.js'
export {
  perform,
  programs,
  type MatchedProgram,
  type Outcome,
  type Step,
} from './arbitraries/programs.js'
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
export { modelOf, type Question } from './oracles/model.js'
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
  NETWORK_FAULTS,
  type NetworkFault,
  type StruckFault,
} from '@commworld/transport'
export { CrashedError, LivenessError, UnreachableError } from '@commworld/mpi/inspect'
export { EndlessLoopError } from './worlds/endless-guard.js'
