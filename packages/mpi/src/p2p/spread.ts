import type { Layout } from '../datatype/layout.js'

/** A part of an array that is seen through a datatype: where it starts and how many items it has. */
export interface Spread {
  readonly layout: Layout
  readonly offset: number
  readonly count: number
}
