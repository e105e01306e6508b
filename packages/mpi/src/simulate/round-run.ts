import type { EventLog, FabricModel } from '@commworld/transport/simulated'
import type { Algorithm, Environment } from '../coll/plan/algorithm.js'
import type { DataShape } from './data-shape.js'

/** What a run is made of. */
export interface RoundRun {
  readonly algorithm: Algorithm
  readonly env: Omit<Environment, 'rank'>
  readonly shape: DataShape
  readonly model: FabricModel
  readonly hostOf: Int32Array
  readonly log?: EventLog | undefined
  /** Keep the messages of the critical path. */
  readonly path: boolean
  /** Called now and then with the share of rounds that were begun, and the virtual time. */
  readonly onProgress?: ((share: number, timePs: number) => void) | undefined
}
