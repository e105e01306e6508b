import type { RankRuntime } from '../engine/index.js'
import type { FinalizeFacts } from '../record/finalize-facts.js'
import type { FinishedMessage, RankTraffic } from './rank-message.js'

/** All that a finalized rank leaves behind. */
export function finishedMessage(
  runtime: RankRuntime,
  facts: FinalizeFacts,
  value: Uint8Array | undefined,
): FinishedMessage {
  const { rank } = runtime
  const trace = rank.trace.finish(rank.rank)
  return { type: 'finished', value, facts, trace, traffic: trafficOf(runtime) }
}

function trafficOf({ rank: { endpoint } }: RankRuntime): RankTraffic {
  const messagesSent = [...endpoint.peers()].reduce((sum, peer) => sum + peer.sent, 0)
  return { messagesSent, ...endpoint.counters }
}
