import { NETWORK_FAULTS, type NetworkFault } from '@commworld/transport'
import fc from 'fast-check'

/** Kinds of faults that the reliable transport makes good: results must not change. */
export const HARMLESS_FAULTS: readonly NetworkFault[] = [
  'delay',
  'reorder',
  'duplicate',
  'loss',
  'slowRank',
]

/**
 * Which kinds of faults a run may have: each of `kinds` is among them every other time, so that runs
 * differ in what can happen together (swarm testing; Groce et al., ISSTA 2012). Whether and when one
 * strikes is then a choice of the run. Shrinks toward none.
 *
 * @example
 * await fc.assert(
 *   fc.asyncProperty(networkFaults(HARMLESS_FAULTS), schedules(), async (faults, schedule) => {
 *     const run = await runWorld(3, main, { faults, schedule })
 *     expect(run.failure).toBe(undefined)
 *   }),
 * )
 */
export function networkFaults(
  kinds: readonly NetworkFault[] = NETWORK_FAULTS,
): fc.Arbitrary<readonly NetworkFault[]> {
  return fc.subarray([...kinds])
}
