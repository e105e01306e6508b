import { flatten, type Flat, type Loop, type Strided } from './flat.js'

export interface LayoutParts {
  /** Layout of the thing that is repeated; none for single elements. */
  readonly base: Layout | undefined
  /** How it is repeated, outermost first, strides in elements. */
  readonly loops: readonly Loop[]
  /** Where the first repetition lies, in elements. */
  readonly offset: number
  /** Bounds given by hand; otherwise those of the repetitions. */
  readonly bounds?: { readonly lowerBound: number; readonly extent: number }
}

/**
 * Where the elements of one item of a datatype lie, relative to the place an item is used at.
 *
 * Immutable, and apart from the handle (`Datatype`), so that freeing a handle takes nothing away from
 * types derived from it or from messages under way. The list of runs is made at the first use.
 * All numbers are elements of the array that the type is used with.
 */
export class Layout {
  /** Elements that travel. */
  readonly size: number
  readonly lowerBound: number
  /** Distance from one item to the next. */
  readonly extent: number
  readonly #parts: LayoutParts
  #flat: Flat | undefined

  constructor(parts: LayoutParts) {
    const { base, loops, offset, bounds } = parts
    let size = base?.size ?? 1
    let lower = offset + (base?.lowerBound ?? 0)
    let upper = lower + (base?.extent ?? 1)
    for (const { count, stride } of loops) {
      size *= count
      const reach = Math.max(count - 1, 0) * stride
      lower += Math.min(reach, 0)
      upper += Math.max(reach, 0)
    }
    this.size = size
    this.lowerBound = bounds?.lowerBound ?? (size === 0 ? 0 : lower)
    this.extent = bounds?.extent ?? (size === 0 ? 0 : upper - lower)
    this.#parts = parts
  }

  /** The runs of one item, made once. */
  get flat(): Flat {
    return (this.#flat ??= flatten(this.#parts))
  }

  /** Whether `count` items are one run of elements without gaps, in order. */
  isContiguous(count: number): boolean {
    const { strided } = this.flat
    return strided !== undefined && strided.count <= 1 && (count <= 1 || this.extent === this.size)
  }

  /** `count` items as equal blocks at equal distances, if that is what they are. */
  strided(count: number): Strided | undefined {
    const { strided } = this.flat
    if (strided === undefined || count === 1 || strided.count === 0) return strided
    if (count === 0) return { ...strided, count: 0 }
    const { offset, blockLength, stride } = strided
    if (strided.count > 1) {
      if (this.extent !== strided.count * stride) return undefined
      return { offset, count: count * strided.count, blockLength, stride }
    }
    if (this.extent !== blockLength) {
      return this.extent > 0 ? { offset, count, blockLength, stride: this.extent } : undefined
    }
    const length = count * blockLength
    return { offset, count: 1, blockLength: length, stride: length }
  }

  /** Elements that `count` items touch, relative to the place they are used at: first, and behind the last. */
  span(count: number): Span {
    const { trueLowerBound, trueEnd } = this.flat
    if (count === 0 || this.size === 0) return { first: 0, end: 0 }
    const reach = (count - 1) * this.extent
    return { first: trueLowerBound + Math.min(reach, 0), end: trueEnd + Math.max(reach, 0) }
  }
}

/** A half-open range of elements; empty when both are equal. */
export interface Span {
  readonly first: number
  readonly end: number
}
