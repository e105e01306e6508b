import type { TravellingError } from '../../errors/index.js'

/** Errors that are no fault of a line in the program: it could not be started like this. */
const START_FAILURES: ReadonlySet<string> = new Set([
  'SpawnError',
  'MemoryUnavailable',
  'OutOfMemory',
  'ChoicesSyntaxError',
  'SimulationError',
  'ImportError',
  'TopologyError',
])

/** Whether a thrown error, here or in a rank, says that the job could not start; its message is enough. */
export function isStartFailure(error: Pick<TravellingError, 'name'>): boolean {
  return START_FAILURES.has(error.name)
}
