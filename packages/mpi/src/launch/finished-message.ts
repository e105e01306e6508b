import { serialize } from 'node:v8'
import type { RankRuntime } from '../engine/rank-runtime.js'
import { ValueError } from '../errors/index.js'
import type { FinalizeFacts } from '../record/finalize-facts.js'
import type { FinishedMessage, RankTraffic } from './rank-message.js'

/** All that a finalized rank leaves behind. Throws `ValueError` when its result cannot be copied. */
export function finishedMessage(
  runtime: RankRuntime,
  facts: FinalizeFacts,
  value: unknown,
  returns: boolean,
): FinishedMessage {
  const { rank } = runtime
  const trace = rank.trace.finish(rank.rank)
  const result = returns ? serialized(value) : undefined
  return { type: 'finished', value: result, facts, trace, traffic: trafficOf(runtime) }
}

/** Copies arrays out of shared memory as it goes. */
function serialized(value: unknown): Uint8Array {
  try {
    return serialize(value)
  } catch (error) {
    const found = `something that cannot be copied (${(error as Error).message})`
    throw new ValueError({ path: 'result of main()', found })
  }
}

function trafficOf({ rank: { endpoint } }: RankRuntime): RankTraffic {
  const messagesSent = [...endpoint.peers()].reduce((sum, peer) => sum + peer.sent, 0)
  return { messagesSent, ...endpoint.counters }
}
