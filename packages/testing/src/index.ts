// The public face of @commworld/testing: re-exports only.

export {
  assertAlgorithm,
  checkAlgorithm,
  type AlgorithmCheck,
} from './algorithms/check-algorithm.js'
export { AlgorithmFaultError, type AlgorithmFault } from './algorithms/fault.js'
export type { FaultKind } from './algorithms/run-case.js'
export { drawArrows, type Arrow } from './picture/arrows.js'
