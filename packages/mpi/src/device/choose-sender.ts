import { chainOf, type ChoiceStream } from '@commworld/transport'
import type { ChooseSender } from './pending-arrivals.js'
import type { Peer } from './peer.js'

/** Has a stream of choices decide whose message lands next at a rank. */
export function chooseSender(choices: ChoiceStream, rank: number): ChooseSender {
  // Made once: a choice is made for each message.
  let senders: readonly Peer[] = []
  const identify = (place: number): number => chainOf(senders[place]!.rank, rank)
  return (alternatives, candidates) => {
    senders = candidates
    return choices.choose(alternatives, 'deliver', identify)
  }
}
