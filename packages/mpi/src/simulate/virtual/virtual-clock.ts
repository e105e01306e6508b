import type { FabricModel } from '@commworld/transport/simulated'
import type { VirtualClock } from '../../device/carrier.js'
import { ArgumentError } from '../../errors/index.js'

/** Where a rank's time goes on. */
export interface RankTime {
  compute(rank: number, ps: number): void
  secondsOf(rank: number): number
}

/** What a byte costs that the library copies, or folds, in picoseconds. */
export interface ClockCosts {
  readonly copyPs: number
  readonly foldPs: number
}

const PS_PER_S = 1e12
const COMPUTE_SECONDS_MAX = 1e4

export function clockCosts({ host }: FabricModel): ClockCosts {
  return { copyPs: host.copyNsPerByte.value * 1000, foldPs: host.reduceNsPerByte.value * 1000 }
}

/** The clock that a rank's program and the library see. */
export function virtualClock(
  time: RankTime,
  rank: number,
  { copyPs, foldPs }: ClockCosts,
  movesData: boolean,
): VirtualClock {
  return {
    movesData,
    copy: (bytes) => time.compute(rank, Math.round(bytes * copyPs)),
    fold: (bytes) => time.compute(rank, Math.round(bytes * foldPs)),
    seconds: () => time.secondsOf(rank),
    compute: (seconds) => {
      if (!(seconds >= 0 && seconds < COMPUTE_SECONDS_MAX)) {
        const expected = `seconds from 0 to ${COMPUTE_SECONDS_MAX}`
        throw new ArgumentError({ argument: 'seconds', seen: seconds, expected })
      }
      time.compute(rank, Math.round(seconds * PS_PER_S))
    },
  }
}
