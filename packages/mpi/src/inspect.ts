// What a testing kit must see of worlds and algorithms beyond what programs use: re-exports only.

export { checkAlgorithm, type CheckOptions } from './coll/check/check-algorithm.js'
export { describeValue, membersOf, type AbstractValue } from './coll/check/abstract-value.js'
export { casesOf } from './coll/check/cases.js'
export {
  Simulation,
  type Case,
  type Movement,
  type Observer,
  type Stuck,
} from './coll/check/simulation.js'
export { type Violation, type ViolationKind } from './coll/check/violation.js'
export { entryAt, type Entry } from './diagnose/trace-entry.js'
export { CrashedError, LivenessError, UnreachableError } from './errors/index.js'
export { checkLocal } from './launch/local-options.js'
export { isEndedByFault } from './launch/ended-by-fault.js'
export { EndlessLoopError } from './launch/endless-guard.js'
export { runGuarded } from './launch/guarded-run.js'
export {
  runLocal,
  type LocalRun,
  type MessageWays,
  type Observation,
  type OpenRun,
} from './launch/local-run.js'
export type { WorldOptions } from './engine/world/world-options.js'
export { TraceFlag, TraceKind, type RankTrace } from './record/trace.js'
export { holdingsOf, leaksOf, type Holdings } from './engine/world/holdings.js'
export { divergenceOf, DivergenceError, type Divergence } from './explore/divergence.js'
export {
  explore,
  type Exploration,
  type ExploreOptions,
  type FoundFailure,
  type Progress,
} from './explore/explore.js'
export type { Plan, RunTrial, Trial } from './explore/trial.js'
export { matchingOf, wildcardsOf, type WildcardPoint } from './explore/wildcards.js'
export type { PooledRun } from './launch/pool/pool-run.js'
export { ThreadPool, type PoolOptions, type PoolRunOptions } from './launch/pool/thread-pool.js'
