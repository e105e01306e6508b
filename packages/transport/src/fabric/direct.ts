import type { Fabric } from './fabric.js'

/** Carries each request out at once, in the thread that posted it. */
export const directFabric: Fabric = {
  mapsMemory: true,
  carry: (responder, queuePair, entry) => responder.respond(queuePair, entry),
}
