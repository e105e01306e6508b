/** Internal wildcard, for source and tag alike: ranks and tags are never negative. */
export const ANY = -1

/**
 * What waits in a matching queue: a posted receive or an unexpected message. The links are part of
 * the item, so that queueing allocates nothing.
 */
export interface Queued {
  context: number
  /** World rank of the sender, or `ANY` in a posted receive. */
  source: number
  tag: number
  /** Place in the order of posting or arrival. */
  order: number
  /** Neighbours among the items of the same envelope. */
  previous: Queued | undefined
  next: Queued | undefined
}
