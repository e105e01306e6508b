import fc from 'fast-check'
import { Datatype } from '../../src/datatype/index.js'

/** The oracle: a type as the standard defines it, a list of displacements, with its bounds. */
export interface TypeMap {
  map: number[]
  lowerBound: number
  extent: number
}

export interface Case {
  datatype: Datatype
  oracle: TypeMap
}

const element: TypeMap = { map: [0], lowerBound: 0, extent: 1 }

function place(base: TypeMap, displacements: number[]): TypeMap {
  const map = displacements.flatMap((at) => base.map.map((offset) => at + offset))
  if (map.length === 0) return { map, lowerBound: 0, extent: 0 }
  const lower = Math.min(...displacements.map((at) => at + base.lowerBound))
  const upper = Math.max(...displacements.map((at) => at + base.lowerBound + base.extent))
  return { map, lowerBound: lower, extent: upper - lower }
}

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

type Maker = (base: Case | undefined) => Case

const contiguous: fc.Arbitrary<Maker> = fc.integer({ min: 0, max: 4 }).map((count) => (base) => {
  const under = base?.oracle ?? element
  return {
    datatype: Datatype.contiguous(count, base?.datatype),
    oracle: place(
      under,
      range(count).map((i) => i * under.extent),
    ),
  }
})

const vector: fc.Arbitrary<Maker> = fc
  .record({
    count: fc.integer({ min: 0, max: 4 }),
    blockLength: fc.integer({ min: 0, max: 3 }),
    stride: fc.integer({ min: -4, max: 5 }),
  })
  .map((shape) => (base) => {
    const under = base?.oracle ?? element
    const displacements = range(shape.count).flatMap((i) =>
      range(shape.blockLength).map((j) => (i * shape.stride + j) * under.extent),
    )
    return { datatype: Datatype.vector(shape, base?.datatype), oracle: place(under, displacements) }
  })

const subarray: fc.Arbitrary<Maker> = fc
  .record({
    box: fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 2 }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    order: fc.constantFrom<'C' | 'Fortran'>('C', 'Fortran'),
  })
  .map(({ box, order }) => (base) => {
    const under = base?.oracle ?? element
    const starts = box.map(([before]) => before)
    const subsizes = box.map(([, inside]) => inside)
    const sizes = box.map(([before, inside, after]) => before + inside + after)
    // Index tuples in the order of memory, kept where they are in the box.
    const dense = order === 'C' ? sizes.map((_, i) => i) : sizes.map((_, i) => sizes.length - 1 - i)
    const displacements: number[] = []
    const total = sizes.reduce((product, size) => product * size, 1)
    for (let linear = 0; linear < total; linear++) {
      let rest = linear
      let inside = true
      for (const dimension of dense.toReversed()) {
        const index = rest % sizes[dimension]!
        rest = Math.floor(rest / sizes[dimension]!)
        const start = starts[dimension]!
        if (index < start || index >= start + subsizes[dimension]!) inside = false
      }
      if (inside) displacements.push(linear * under.extent)
    }
    return {
      datatype: Datatype.subarray({ sizes, subsizes, starts, order }, base?.datatype),
      oracle: { ...place(under, displacements), lowerBound: 0, extent: total * under.extent },
    }
  })

const resized: fc.Arbitrary<Maker> = fc
  .record({ lower: fc.integer({ min: -3, max: 3 }), extent: fc.integer({ min: -4, max: 9 }) })
  .map(({ lower, extent }) => (base) => ({
    datatype: (base?.datatype ?? Datatype.contiguous(1)).resized(lower, extent),
    oracle: { map: base?.oracle.map ?? [0], lowerBound: lower, extent },
  }))

/** Datatypes derived up to four times, each with its type map. */
export const cases: fc.Arbitrary<Case> = fc
  .array(fc.oneof(contiguous, vector, subarray, resized), { minLength: 1, maxLength: 4 })
  .map((makers) => makers.reduce<Case | undefined>((base, make) => make(base), undefined)!)

/** Displacements of `count` items, relative to where they are used. */
export function displacementsOf(oracle: TypeMap, count: number): number[] {
  return range(count).flatMap((item) => oracle.map.map((at) => at + item * oracle.extent))
}
