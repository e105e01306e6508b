import { serialize } from 'node:v8'
import type { RankRuntime } from '../../engine/world/rank-runtime.js'
import { ValueError } from '../../errors/index.js'
import type { LegacyMessage, RankTraffic } from './rank-message.js'

/** What main() returned, as bytes; arrays are copied out of shared memory. Throws `ValueError`. */
export function serialized(value: unknown): Uint8Array {
  try {
    return serialize(value)
  } catch (error) {
    const found = `something that cannot be copied (${(error as Error).message})`
    throw new ValueError({ path: 'result of main()', found })
  }
}

/** All that a finalized rank leaves behind. */
export function legacyOf(runtime: RankRuntime): LegacyMessage {
  const { rank } = runtime
  const facts = runtime.leftovers()
  return { type: 'legacy', facts, trace: rank.trace.finish(rank.rank), traffic: trafficOf(runtime) }
}

function trafficOf({ rank: { endpoint } }: RankRuntime): RankTraffic {
  const messagesSent = [...endpoint.peers()].reduce((sum, peer) => sum + peer.sent, 0)
  const { counters } = endpoint
  return {
    ...counters,
    messagesSent,
    bytesSent: counters.bytesSent,
    bytesDirect: counters.bytesDirect,
  }
}
