// `@commworld/mpi/plan`: for those who write algorithms of collectives. Re-exports only; see
// docs/new-algorithm.md.

export { checkAlgorithm, type CheckOptions } from './coll/check/check-algorithm.js'
export type { Violation, ViolationKind } from './coll/check/violation.js'
export {
  defineCollective,
  type Algorithm,
  type Emit,
  type Environment,
  type Extents,
  type Restrictions,
} from './coll/plan/algorithm.js'
export {
  HIGHER,
  IN,
  LOWER,
  OUT,
  SHARED,
  SLOT,
  TMP,
  type Buffer,
  type Side,
} from './coll/plan/buffer.js'
export type { CollectiveName } from './coll/plan/collective.js'
export { needsInWords, rulesInWords, type RuleInWords } from './coll/select/in-words.js'
export { selectAlgorithm } from './coll/select/select.js'
export { collectiveAlgorithms } from './coll/select/registry.js'
