// The face of @commworld/mpi/simulate: re-exports only.

export * from './simulate/index.js'
export { simulate, type SimulateOptions, type Simulation } from './launch/simulate.js'
export type { RunRecord } from './simulate/virtual/run-record.js'
export type { RunResult } from './simulate/virtual/run-result.js'
