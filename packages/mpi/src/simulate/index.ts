// The face of @commworld/mpi/simulate: re-exports only.

export type { MessageClass, MessageWay } from './message-classes.js'
export type { PathStep } from './path-log.js'
export { PATH_PARTS, type PathPart } from './rank-times.js'
export { headline, simulateCollective } from './simulate-collective.js'
export type { CollectiveRequest, CollectiveResult, RankShares } from './simulate-collective.js'
export { SimulationError } from './simulation-error.js'
export { inNetwork } from './in-network.js'
export { resultText } from './result-text.js'
export { fabricNamed, usualFabric } from './usual-fabric.js'
export { fabricText } from './fabric-text.js'
