// What an event is, in three bits; the rest of the number says of what: a message, a flow, a rank.

export const KIND_BITS = 3
export const KIND_MASK = 7

/** The last byte of a message has come to the interface of its receiver. */
export const ARRIVED = 0
/** The message is in the receiver's memory. */
export const DELIVERED = 1
/** The first byte of a message enters the network: from now on it takes part in sharing. */
export const FLOW_BEGINS = 2
/** A flow has carried all its bytes, unless its rate has changed since. */
export const FLOW_ENDS = 3
/** All that happens at this time has happened: rates are shared anew. */
export const RATES_CHANGE = 4
/** Free for who drives the network. */
export const DRIVER_A = 5
export const DRIVER_B = 6
export const DRIVER_C = 7

export function event(kind: number, id: number): number {
  return (id << KIND_BITS) | kind
}
