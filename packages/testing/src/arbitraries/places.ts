import fc from 'fast-check'

/** What an array is to a call: itself, a part of it, or what a datatype says. */
export const placeLayouts = [
  ...(['whole', 'part', 'window'] as const),
  ...(['packed', 'spread', 'resized', 'columns', 'backwards'] as const),
]
/** One of them. */
export type PlaceLayout = (typeof placeLayouts)[number]

/** Those without a datatype. */
export const untypedLayouts: readonly PlaceLayout[] = placeLayouts.slice(0, 3)
/** Those with a datatype. */
export const typedLayouts: readonly PlaceLayout[] = placeLayouts.slice(3)

/** How the buffer of a rank lies in memory. */
export interface PlaceShape {
  readonly layout: PlaceLayout
  /** Allocated by the library, rather than a plain typed array. */
  readonly registered: boolean
  /** Of blocks by rank: 0 for one after the other, else the seed of where they lie. */
  readonly strewn: number
}

/**
 * Where buffers lie; shrinks toward a whole array of the program's own.
 * @example
 * fc.assert(fc.property(places(untypedLayouts), ({ layout }) => untypedLayouts.includes(layout)))
 */
export function places(among: readonly PlaceLayout[] = placeLayouts): fc.Arbitrary<PlaceShape> {
  return fc.record({
    layout: fc.constantFrom(...among),
    registered: fc.boolean(),
    strewn: fc.oneof({ withCrossShrink: true }, fc.constant(0), fc.integer({ min: 1, max: 1000 })),
  })
}
