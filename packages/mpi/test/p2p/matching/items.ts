import fc from 'fast-check'
import type { Ordered } from '../../../src/p2p/matching/ordered-list.js'
import { ANY, type Queued } from '../../../src/p2p/matching/queued.js'

/** Something with an envelope, as the queues take it; items are numbered in the order of posting. */
export class Item implements Queued, Ordered {
  readonly id: number
  readonly context: number
  readonly source: number
  readonly tag: number
  readonly order: number
  previous: Queued | undefined
  next: Queued | undefined
  earlier: Ordered | undefined
  later: Ordered | undefined

  constructor(id: number, { context, source, tag }: Envelope) {
    this.id = id
    this.order = id
    this.context = context
    this.source = source
    this.tag = tag
  }
}

export interface Envelope {
  context: number
  source: number
  tag: number
}

/** Few values, so that envelopes meet; tags that are far apart, so that they are hashed. */
export const envelopes: fc.Arbitrary<Envelope> = fc.record({
  context: fc.constantFrom(2, 4),
  source: fc.nat(2),
  tag: fc.constantFrom(0, 1, 2 ** 30 - 1),
})

/** Envelopes as a receive names them. */
export const patterns: fc.Arbitrary<Envelope> = fc.record({
  context: fc.constantFrom(2, 4),
  source: fc.constantFrom(0, 1, 2, ANY),
  tag: fc.constantFrom(0, 1, 2 ** 30 - 1, ANY),
})

/** The rule of MPI 4.1, section 3.2.4, naively. */
export function fits(pattern: Envelope, message: Envelope): boolean {
  return (
    pattern.context === message.context &&
    (pattern.source === ANY || pattern.source === message.source) &&
    (pattern.tag === ANY || pattern.tag === message.tag)
  )
}
