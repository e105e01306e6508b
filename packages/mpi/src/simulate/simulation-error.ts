/** A simulation that cannot be made as asked, or that cannot go on. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError'
  readonly code = 'SIMULATION'
}
