import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { EventQueue } from '../../../src/fabric/simulated/kernel/event-queue.js'
import { FlowSystem } from '../../../src/fabric/simulated/link/flow-system.js'
import { maxMinRates } from '../../../src/fabric/simulated/link/max-min.js'
import {
  FLOW_ENDS,
  KIND_BITS,
  KIND_MASK,
  RATES_CHANGE,
} from '../../../src/fabric/simulated/network/event-kinds.js'

interface Flow {
  start: number
  work: number
  links: number[]
}

const START = 7

/** When each flow ends, by the system under test. */
function simulate(capacity: number[], flows: readonly Flow[]): number[] {
  const queue = new EventQueue()
  const system = new FlowSystem(queue, Float64Array.from(capacity), 4)
  const ends = flows.map(() => 0)
  flows.forEach(({ start }, id) => queue.push(start, (id << KIND_BITS) | START))
  while (queue.size > 0) {
    const what = queue.pop()
    const id = what >> KIND_BITS
    const kind = what & KIND_MASK
    if (kind === START) {
      const { work, links } = flows[id]!
      system.begin(id, work, Int32Array.from(links), links.length)
    } else if (kind === FLOW_ENDS) {
      const token = system.end(id)
      if (token >= 0) ends[token] = queue.now
    } else if (kind === RATES_CHANGE) system.settle()
  }
  return ends
}

/** The same by solving everything anew whenever anything changes, in exact time. */
function recompute(capacity: number[], flows: readonly Flow[]): number[] {
  const left = flows.map(({ work }) => work)
  const ends = flows.map(() => 0)
  let now = 0
  for (;;) {
    const active = flows.flatMap((flow, f) => (flow.start <= now && left[f]! > 0 ? [f] : []))
    const firstOf = [0]
    for (const f of active) firstOf.push(firstOf.at(-1)! + flows[f]!.links.length)
    const rates = maxMinRates({
      capacity: Float64Array.from(capacity),
      firstOf: Int32Array.from(firstOf),
      links: Int32Array.from(active.flatMap((f) => flows[f]!.links)),
    })
    let next = Infinity
    active.forEach((f, i) => (next = Math.min(next, now + left[f]! / rates[i]!)))
    for (const { start } of flows) if (start > now) next = Math.min(next, start)
    if (next === Infinity) return ends
    active.forEach((f, i) => {
      left[f]! -= rates[i]! * (next - now)
      if (left[f]! < 1e-6) {
        left[f] = 0
        ends[f] = next
      }
    })
    now = next
  }
}

const cases = fc.integer({ min: 1, max: 5 }).chain((links) =>
  fc.record({
    capacity: fc.array(fc.constantFrom(0.5, 1, 2), { minLength: links, maxLength: links }),
    flows: fc.array(
      fc.record({
        start: fc.nat(5).map((n) => n * 10_000),
        work: fc.integer({ min: 1, max: 50_000 }),
        links: fc.uniqueArray(fc.nat(links - 1), { minLength: 1, maxLength: 4 }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  }),
)

describe('FlowSystem', () => {
  test('ends flows when solving everything anew does', () => {
    const property = fc.property(cases, ({ capacity, flows }) => {
      const ends = simulate(capacity, flows)
      // Each change rounds to whole picoseconds.
      recompute(capacity, flows).forEach((end, f) => {
        expect(Math.abs(ends[f]! - end)).toBeLessThan(2 * flows.length + 2)
      })
    })
    fc.assert(property, { numRuns: 500 })
  })

  test('gives a flow alone all of its narrowest link, exactly', () => {
    expect(simulate([1, 0.5], [{ start: 0, work: 1001, links: [0, 1] }])).toEqual([2002])
  })

  test('knows how busy links were', () => {
    const queue = new EventQueue()
    const system = new FlowSystem(queue, Float64Array.from([1]), 1)
    system.begin(0, 100, Int32Array.from([0]), 1)
    system.begin(1, 100, Int32Array.from([0]), 1)
    expect(system.loadOf(0)).toBe(2)
    while (queue.size > 0) {
      const what = queue.pop()
      if ((what & KIND_MASK) === RATES_CHANGE) system.settle()
      else system.end(what >> KIND_BITS)
    }
    expect([system.loadOf(0), system.peakOf(0), system.busyOf(0), system.carriedOf(0)]).toEqual([
      0, 2, 200, 200,
    ])
  })
})
