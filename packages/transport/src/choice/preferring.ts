import type { ChoiceSource } from './choice-stream.js'
import { receiverOf, senderOf } from './priorities.js'

/** Which message a rank should take, from which choice on. */
export interface Preference {
  readonly receiver: number
  readonly sender: number
  readonly from: number
}

/**
 * First come, but from a choice on so that `receiver` takes a message of `sender` if it can: the
 * sender goes on whenever it can, the receiver only when nobody else can, and of what has come for it
 * the sender's message lands first.
 */
export function preferring({ receiver, sender, from }: Preference): ChoiceSource {
  return {
    start() {},
    pick(index, alternatives, label, _words, identify) {
      if (index < from || identify === undefined) return 0
      const places = Array.from({ length: alternatives }, (_, place) => place)
      if (label === 'run' || label === 'poll') {
        const wanted = places.find((place) => identify(place) === sender)
        return wanted ?? places.find((place) => identify(place) !== receiver) ?? 0
      }
      const isWanted = (place: number): boolean =>
        receiverOf(identify(place)) === receiver && senderOf(identify(place)) === sender
      return places.find(isWanted) ?? 0
    },
  }
}
