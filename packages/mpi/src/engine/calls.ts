import type { Carrier } from '../device/carrier.js'
import { SharedThreadError } from '../errors/index.js'
import type { Request } from '../p2p/request.js'
import type { OperationName } from '../record/operation.js'
import type { Rank } from './rank.js'

/** @throws SharedThreadError on a thread that ranks share, where a verb that blocks must not be called */
export function needThread(
  carrier: Carrier,
  verb: { readonly name: OperationName; readonly instead: string },
): void {
  if (carrier.blocks) return
  throw new SharedThreadError({ operation: verb.name, instead: verb.instead })
}

/** Gives a request to the program: it is told where it was made, and watched until looked at. */
export function hand<T>(rank: Rank, request: Request<T>): Request<T> {
  request.site = rank.sites.capture(hand)
  rank.openRequests.add(request)
  return request
}
