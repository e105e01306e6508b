// The face of @commworld/mpi/simulate: re-exports only.

export * from './simulate/index.js'
export { parseGoal } from './simulate/goal/parse-goal.js'
export { replayGoal } from './simulate/goal/replay-goal.js'
export type { GoalSchedule } from './simulate/goal/schedule.js'
export { runText } from './simulate/virtual/run-text.js'
export { simulate, type SimulateOptions, type Simulation } from './launch/simulate.js'
export type { RunRecord } from './simulate/virtual/run-record.js'
export type { RunResult } from './simulate/virtual/run-result.js'
