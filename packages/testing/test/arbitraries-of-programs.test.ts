// Calls, datatypes, grids and matched programs: what they shrink to, and that they are what they say.

import { Datatype, type CartesianCommunicator } from '@commworld/mpi'
import {
  AT_ONCE,
  communicators,
  coroutines,
  datatypes,
  elementsOfDatatype,
  extentOfDatatype,
  flights,
  forAllWorlds,
  makeCommunicator,
  makeDatatype,
  memoryCalls,
  outcomeFault,
  places,
  programs,
  threads,
  timings,
  valueCalls,
  type MatchedProgram,
  type Outcome,
} from '@commworld/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** What a property that does not hold for such values shrinks to. */
function smallest<T>(arbitrary: fc.Arbitrary<T>, isWrong: (value: T) => boolean = () => true): T {
  const property = fc.property(arbitrary, (value) => !isWrong(value))
  const { counterexample } = fc.check(property, { seed: 3, numRuns: 3000 })
  return counterexample![0]
}

describe('arbitraries shrink toward what is easy to read', () => {
  const constraints = { ranks: 4, carrier: coroutines }

  test('calls toward one of an empty array or a plain value, in no special way', () => {
    const memory = smallest(memoryCalls('allreduceInto', constraints))
    expect(memory).toMatchObject({ kind: 'int32', lengths: [0], inPlace: false, ...AT_ONCE })
    expect(memory.algorithm).toBe(undefined)
    expect(smallest(valueCalls('bcast', constraints))).toMatchObject({ root: 0, ...AT_ONCE })
    const inPlace = smallest(memoryCalls('reduceInto', constraints), (call) => call.inPlace)
    expect(inPlace).toMatchObject({ root: 0, lengths: [0], inPlace: true })
    const persistent = smallest(timings(threads), ({ form }) => form === 'persistent')
    expect(persistent).toMatchObject({ form: 'persistent', starts: 1, pauses: [0] })
    expect(smallest(timings(threads)).form).toBe('blocking')
  })

  test('segments toward the algorithm as the library runs it', () => {
    const call = memoryCalls('bcastInto', constraints)
    const segmented = smallest(call, ({ algorithm = '' }) => algorithm.includes(':'))
    expect(segmented).toMatchObject({ lengths: [0], root: 0, ...AT_ONCE })
    expect(smallest(call).algorithm).toBe(undefined)
  })

  test('buffers and datatypes toward a whole array and one element', () => {
    expect(smallest(places())).toEqual({ layout: 'whole', registered: false, strewn: 0 })
    expect(smallest(datatypes())).toEqual({ kind: 'element' })
    const holes = smallest(datatypes(), (shape) => {
      return elementsOfDatatype(shape).length < extentOfDatatype(shape)
    })
    expect(extentOfDatatype(holes)).toBeLessThanOrEqual(3)
  })

  test('communicators toward the world, grids toward a line', () => {
    expect(smallest(communicators(12))).toEqual({ kind: 'world' })
    const grid = smallest(communicators(12), ({ kind }) => kind === 'cartesian')
    expect(grid).toEqual({ kind: 'cartesian', dims: [12], periods: [false] })
  })

  test('programs toward nothing, then one operation on the world', () => {
    expect(smallest(programs(3)).steps).toEqual([])
    const nested = smallest(programs(3), ({ steps }) => steps.some(({ on }) => on > 1))
    expect(nested.steps.map(({ kind }) => kind === 'split')).toEqual([true, true, false])
    const overlapping = smallest(programs(3), ({ steps }) => {
      return steps.some((step) => 'overlaps' in step && step.overlaps)
    })
    expect(overlapping.steps).toEqual([{ kind: 'barrier', on: 0, overlaps: true }])
    expect(smallest(flights(3, coroutines)).steps).toHaveLength(1)
  })
})

describe('datatypes', () => {
  test('take the elements that their shapes say, each once', () => {
    fc.assert(
      fc.property(datatypes(), (shape) => {
        const elements = elementsOfDatatype(shape)
        const datatype = makeDatatype(shape)
        expect(datatype).toBeInstanceOf(Datatype)
        expect([datatype.size, datatype.extent]).toEqual([elements.length, extentOfDatatype(shape)])
        expect(new Set(elements).size).toBe(elements.length)
        for (const element of elements) expect(element).toBeLessThan(extentOfDatatype(shape))
      }),
    )
  })

  test('are sent and received as such', async () => {
    const property = forAllWorlds(
      { ranks: 2, data: fc.record({ shape: datatypes(), count: fc.nat(3) }) },
      async ({ world }, { shape, count }) => {
        const length = count * extentOfDatatype(shape)
        const elements = elementsOfDatatype(shape)
        const all = Array.from({ length: count }, (_, item) => {
          return elements.map((element) => item * extentOfDatatype(shape) + element)
        }).flat()
        const datatype = makeDatatype(shape)
        const data = Float64Array.from({ length }, (_, at) => (world.rank === 0 ? at : -1))
        if (world.rank === 0)
          return void (await world.isend({ data, datatype, count }, { dest: 1 }))
        await world.irecvInto({ data, datatype, count }, { source: 0 })
        expect([...data]).toEqual([...data].map((_, at) => (all.includes(at) ? at : -1)))
      },
    )
    await fc.assert(property, { numRuns: 60 })
  })
})

test('grids have all ranks of the world, and neighbours', async () => {
  const grids = (ranks: number) => communicators(ranks).filter(({ kind }) => kind === 'cartesian')
  const property = forAllWorlds(
    { ranks: { max: 8 }, data: grids },
    async ({ world }, shape) => {
      const grid = (await makeCommunicator(world, shape)) as CartesianCommunicator
      const { source, dest } = grid.shift(0)
      const got = grid.irecv<number>({ source })
      await grid.isend(grid.rank, { dest })
      const neighbour = await got
      grid.free()
      return [grid.size, neighbour ?? source]
    },
    (seen, { ranks }) => expect(new Set(seen.map(([size]) => size))).toEqual(new Set([ranks])),
  )
  await fc.assert(property, { numRuns: 40 })
})

test('outcomeFault sees what is lost, doubled, overtaken, misdirected and wrong', () => {
  const message = {
    kind: 'message',
    from: 1,
    to: 0,
    on: 0,
    anySource: true,
    anyTag: false,
  } as const
  const program: MatchedProgram = {
    ranks: 2,
    steps: [
      { ...message, tag: 1 },
      { ...message, tag: 1 },
      { kind: 'allreduce', on: 0, overlaps: false },
    ],
  }
  const sum = { step: 2, sum: 5 }
  const receiving = (first: number, second: number): Outcome[] => [
    [{ step: 0, source: 1, got: first }, { step: 1, source: 1, got: second }, sum],
    [sum],
  ]
  expect(outcomeFault(program, receiving(0, 1))).toBe(undefined)
  expect(outcomeFault(program, receiving(1, 0))).toContain('message 1 overtook message 0')
  expect(outcomeFault(program, receiving(0, 0))).toContain('message 0 was received twice')
  expect(outcomeFault(program, receiving(0, 2))).toContain('got 2, which is no message')
  expect(outcomeFault(program, [[sum], [sum]])).toBe('message 0 was not received')
  expect(outcomeFault(program, [[{ step: 2, sum: 4 }]])).toContain('the sum is 4, and must be 5')
  const [first, second] = receiving(0, 1)
  const elsewhere = [{ ...(first![0] as { step: 0; got: 0 }), source: 0 }, ...first!.slice(1)]
  expect(outcomeFault(program, [elsewhere, second!])).toContain('its status says 0')
})
