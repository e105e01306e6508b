import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHOICE_STATE_WORDS, joinChoices, startChoices } from '../../src/choice/choice-stream.js'
import { chainOf, pct, pctcp, receiverOf, senderOf } from '../../src/choice/priorities.js'
import { choiceSource } from '../../src/choice/sources.js'
import type { ChoiceSource } from '../../src/choice/choice-stream.js'

/** Ranks with so many steps each, run one step at a time: the order in which they went. */
function schedule(source: ChoiceSource, steps: readonly number[]): string {
  const choices = startChoices(source)
  const left = [...steps]
  let order = ''
  for (;;) {
    const ready = left.flatMap((count, rank) => (count > 0 ? [rank] : []))
    if (ready.length === 0) return order
    const rank = ready[choices.choose(ready.length, 'run', (place) => ready[place]!)]!
    left[rank]!--
    order += rank
  }
}

const seeds = fc.maxSafeNat()
const stepLists = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 })

describe('pct', () => {
  test('of depth 1 lets a rank run to its end before the next', () => {
    fc.assert(
      fc.property(seeds, stepLists, (seed, steps) => {
        const order = schedule(pct({ seed, depth: 1 }), steps)
        expect(order).toMatch(/^(\d)\1*(?:(?!\1)(\d)\2*)*$/)
        expect(order.replace(/(\d)\1*/g, '$1').length).toBe(steps.length)
      }),
    )
  })

  test('of depth d interrupts at most d - 1 times', () => {
    fc.assert(
      fc.property(seeds, stepLists, fc.integer({ min: 1, max: 5 }), (seed, steps, depth) => {
        const order = schedule(pct({ seed, depth, events: 12 }), steps)
        const stretches = order.replace(/(\d)\1*/g, '$1').length
        // Who falls in the middle gives a second stretch, and so may the one that takes its place.
        expect(stretches).toBeLessThanOrEqual(steps.length + 2 * (depth - 1))
      }),
    )
  })

  test('hits a fault of depth 2 as often as the paper promises', () => {
    // Rank 1 goes exactly between the third and the fourth of rank 0's steps: here the bound is the chance.
    const runs = 8000
    let hits = 0
    for (let seed = 0; seed < runs; seed++) {
      if (schedule(pct({ seed, depth: 2, events: 6 }), [6, 1]).startsWith('0001')) hits++
    }
    expect(hits / runs).toBeGreaterThan(0.85 / (2 * 6))
    expect(hits / runs).toBeLessThan(1.15 / (2 * 6))
  })

  test('goes on in another thread as in one', () => {
    fc.assert(
      fc.property(seeds, stepLists, (seed, steps) => {
        const source = (): ChoiceSource =>
          choiceSource({ priorities: { kind: 'pct', seed, depth: 3, events: 8 } })
        const state = new Int32Array(CHOICE_STATE_WORDS)
        const streams = [startChoices(source(), state), joinChoices(source(), state)]
        let turn = 0
        const shared: ChoiceSource = {
          start() {},
          pick: (_, alternatives, label, __, identify) =>
            streams[turn++ % 2]!.choose(alternatives, label, identify),
        }
        expect(schedule(shared, steps)).toBe(schedule(source(), steps))
      }),
    )
  })

  test('refuses what it cannot draw', () => {
    expect(() => pct({ seed: -1 })).toThrow('seed must be a whole number from 0')
    expect(() => pct({ seed: 1, depth: 6 })).toThrow('depth must be a whole number from 1 to 5')
    expect(() => pctcp({ seed: 1, events: 0 })).toThrow('events must be a whole number from 1')
  })
})

describe('pctcp', () => {
  test('prefers a sender at one receiver and another one elsewhere', () => {
    const firsts = new Set<string>()
    for (let seed = 0; seed < 64; seed++) {
      const choices = startChoices(pctcp({ seed, depth: 1 }))
      const at = (receiver: number): number =>
        choices.choose(2, 'deliver', (place) => chainOf(place + 1, receiver))
      firsts.add(`${at(0)} ${at(3)}`)
    }
    expect(firsts.size).toBe(4)
  })

  test('names a chain by both its ends', () => {
    fc.assert(
      fc.property(fc.nat(16383), fc.nat(16383), (sender, receiver) => {
        const chain = chainOf(sender, receiver)
        expect([senderOf(chain), receiverOf(chain)]).toEqual([sender, receiver])
      }),
    )
  })
})
