import type { NetworkFault } from '@commworld/transport'
import { CrashedError, UnreachableError } from '../errors/index.js'
import type { LocalRun } from './local-run.js'

/** Whether a run ended as a job must that a fault of the network ends: by that fault and nothing else. */
export function isEndedByFault({ faults, failure }: Pick<LocalRun, 'faults' | 'failure'>): boolean {
  const struck = (kind: NetworkFault): boolean => faults.some((fault) => fault.kind === kind)
  if (failure?.thrown instanceof CrashedError) return struck('crash')
  return failure?.thrown instanceof UnreachableError && struck('queuePairError')
}
