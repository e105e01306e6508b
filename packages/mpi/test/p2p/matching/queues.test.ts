import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PostedQueue } from '../../../src/p2p/matching/posted-queue.js'
import { UnexpectedQueue } from '../../../src/p2p/matching/unexpected-queue.js'
import { envelopes, fits, Item, patterns, type Envelope } from './items.js'

type Step =
  | { do: 'add'; envelope: Envelope }
  | { do: 'take'; envelope: Envelope }
  | { do: 'remove'; which: number }

function steps(added: fc.Arbitrary<Envelope>, taken: fc.Arbitrary<Envelope>): fc.Arbitrary<Step[]> {
  return fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), envelope: added }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('take' as const), envelope: taken }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat() }) },
    ),
    { maxLength: 120, size: 'max' },
  )
}

describe('PostedQueue', () => {
  test('gives a message the receive posted first among those that fit, as a list does', () => {
    fc.assert(
      fc.property(steps(patterns, envelopes), (program) => {
        const queue = new PostedQueue<Item>()
        const list: Item[] = []
        program.forEach((step, id) => {
          if (step.do === 'add') {
            const item = new Item(id, step.envelope)
            queue.append(item)
            list.push(item)
          } else if (step.do === 'take') {
            const { context, source, tag } = step.envelope
            const at = list.findIndex((posted) => fits(posted, step.envelope))
            const expected = at < 0 ? undefined : list.splice(at, 1)[0]
            expect(queue.take(context, source, tag)).toBe(expected)
          } else if (list.length > 0) {
            queue.remove(list.splice(step.which % list.length, 1)[0]!)
          }
          expect(queue.size).toBe(list.length)
        })
        expect([...queue]).toEqual(list)
      }),
      { numRuns: 150 },
    )
  })
})

describe('UnexpectedQueue', () => {
  test('finds the message that came first among those that fit, as a list does', () => {
    fc.assert(
      fc.property(steps(envelopes, patterns), (program) => {
        const queue = new UnexpectedQueue<Item>()
        const list: Item[] = []
        program.forEach((step, id) => {
          if (step.do === 'add') {
            const item = new Item(id, step.envelope)
            queue.append(item)
            list.push(item)
          } else if (step.do === 'take') {
            const { context, source, tag } = step.envelope
            const expected = list.find((message) => fits(step.envelope, message))
            expect(queue.find(context, source, tag)).toBe(expected)
            if (expected !== undefined) {
              queue.remove(expected)
              list.splice(list.indexOf(expected), 1)
            }
          } else if (list.length > 0) {
            queue.remove(list.splice(step.which % list.length, 1)[0]!)
          }
          expect(queue.size).toBe(list.length)
        })
        expect([...queue]).toEqual(list)
      }),
      { numRuns: 150 },
    )
  })
})
