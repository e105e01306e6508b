import { Datatype } from '@commworld/mpi'
import fc from 'fast-check'

/** A datatype as plain data. Numbers are in items of what it is made of. */
export type DatatypeShape =
  /** One element of the array. */
  | { readonly kind: 'element' }
  | { readonly kind: 'contiguous'; readonly count: number; readonly of: DatatypeShape }
  | {
      readonly kind: 'vector'
      readonly count: number
      readonly blockLength: number
      readonly stride: number
      readonly of: DatatypeShape
    }
  /** A box out of an array of some dimensions: holes on all sides. */
  | {
      readonly kind: 'subarray'
      readonly sizes: readonly number[]
      readonly subsizes: readonly number[]
      readonly starts: readonly number[]
      readonly of: DatatypeShape
    }
  /** The same elements, with so many elements after them left out before the next item. */
  | { readonly kind: 'resized'; readonly gap: number; readonly of: DatatypeShape }

const ELEMENT: DatatypeShape = { kind: 'element' }
const DEPTH_MAX = 2

/**
 * Datatypes, nested and with holes, in which no element lies on another, so that they can be received
 * into. Shrinks toward one element.
 *
 * @example
 * fc.assert(
 *   fc.property(datatypes(), (shape) => {
 *     expect(makeDatatype(shape).size).toBe(elementsOfDatatype(shape).length)
 *   }),
 * )
 */
export function datatypes(): fc.Arbitrary<DatatypeShape> {
  return nested(DEPTH_MAX)
}

function nested(depth: number): fc.Arbitrary<DatatypeShape> {
  const element = fc.constant(ELEMENT)
  if (depth === 0) return element
  const of = nested(depth - 1)
  const few = fc.integer({ min: 1, max: 3 })
  const side = fc.record({ subsize: few, start: fc.nat(2), rest: fc.nat(2) })
  return fc.oneof(
    { withCrossShrink: true },
    element,
    fc.record({ kind: fc.constant('contiguous' as const), count: fc.nat(3), of }),
    fc
      .record({ count: fc.nat(3), blockLength: few, hole: fc.nat(2), of })
      .map(({ count, blockLength, hole, of: inner }): DatatypeShape => {
        return { kind: 'vector', count, blockLength, stride: blockLength + hole, of: inner }
      }),
    fc
      .record({ sides: fc.array(side, { minLength: 1, maxLength: 2 }), of })
      .map(({ sides, of: inner }): DatatypeShape => {
        const sizes = sides.map(({ subsize, start, rest }) => subsize + start + rest)
        const subsizes = sides.map(({ subsize }) => subsize)
        return {
          kind: 'subarray',
          sizes,
          subsizes,
          starts: sides.map((one) => one.start),
          of: inner,
        }
      }),
    fc.record({ kind: fc.constant('resized' as const), gap: fc.nat(3), of }),
  )
}

/**
 * Makes it.
 * @example
 * makeDatatype({ kind: 'contiguous', count: 3, of: { kind: 'element' } }).size // 3
 */
export function makeDatatype(shape: DatatypeShape): Datatype {
  switch (shape.kind) {
    case 'element':
      return Datatype.contiguous(1)
    case 'contiguous':
      return Datatype.contiguous(shape.count, makeDatatype(shape.of))
    case 'vector':
      return Datatype.vector(shape, makeDatatype(shape.of))
    case 'subarray':
      return Datatype.subarray(shape, makeDatatype(shape.of))
    case 'resized':
      return makeDatatype(shape.of).resized(0, extentOfDatatype(shape))
  }
}

/**
 * Which elements of an array an item takes, in order: worked out from the shape, without the library.
 * @example
 * const element = { kind: 'element' }
 * elementsOfDatatype({ kind: 'vector', count: 2, blockLength: 1, stride: 3, of: element }) // [ 0, 3 ]
 */
export function elementsOfDatatype(shape: DatatypeShape): readonly number[] {
  switch (shape.kind) {
    case 'element':
      return [0]
    case 'contiguous':
      return repeated(shape.of, upTo(shape.count))
    case 'vector': {
      const { count, blockLength, stride, of } = shape
      const places = upTo(count).flatMap((block) => {
        return upTo(blockLength).map((item) => block * stride + item)
      })
      return repeated(of, places)
    }
    case 'subarray': {
      const { sizes, subsizes, starts, of } = shape
      let places = [0]
      sizes.forEach((size, dimension) => {
        const along = upTo(subsizes[dimension]!).map((item) => starts[dimension]! + item)
        places = places.flatMap((place) => along.map((item) => place * size + item))
      })
      return repeated(of, places)
    }
    case 'resized':
      return elementsOfDatatype(shape.of)
  }
}

/**
 * How far it is from one item to the next, in elements of the array.
 * @example
 * extentOfDatatype({ kind: 'resized', gap: 2, of: { kind: 'element' } }) // 3
 */
export function extentOfDatatype(shape: DatatypeShape): number {
  switch (shape.kind) {
    case 'element':
      return 1
    case 'contiguous':
      return shape.count * extentOfDatatype(shape.of)
    case 'vector': {
      const { count, blockLength, stride, of } = shape
      return count === 0 ? 0 : ((count - 1) * stride + blockLength) * extentOfDatatype(of)
    }
    case 'subarray':
      return shape.sizes.reduce((all, size) => all * size, extentOfDatatype(shape.of))
    case 'resized':
      return extentOfDatatype(shape.of) + shape.gap
  }
}

function repeated(of: DatatypeShape, places: readonly number[]): number[] {
  const [elements, extent] = [elementsOfDatatype(of), extentOfDatatype(of)]
  return places.flatMap((place) => elements.map((element) => place * extent + element))
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
