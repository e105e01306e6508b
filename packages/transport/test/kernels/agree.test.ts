import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WorldMemory } from '../../src/memory/world-memory.js'

const memory = WorldMemory.create({ bytes: 2 ** 20 })
const { kernels, heap } = memory

interface Saying {
  readonly number: number
  readonly extra: number
  readonly facts: number
}

/** What the word remembers: the latest call and what was said of it first. */
class Model {
  #latest: Saying | undefined

  agree(said: Saying): number {
    const latest = this.#latest
    if (latest === undefined || said.number > latest.number) {
      this.#latest = said
      return 0
    }
    if (said.number < latest.number) return 0
    return said.extra === latest.extra && said.facts === latest.facts ? 0 : 1
  }
}

const sayings = fc.array(
  fc.record({
    number: fc.integer({ min: 0, max: 5 }),
    extra: fc.constantFrom(0, 1, 0xffff),
    facts: fc.constantFrom(1, -1, 0x7fffffff),
  }),
  { maxLength: 20 },
)

describe('agree', () => {
  test('tells who differs from what was said first, and forgets calls that are over', () => {
    const first = fc.integer({ min: 0, max: 0x20000 })
    fc.assert(
      fc.property(sayings, first, (list, start) => {
        const entry = heap.allocate(8)
        const model = new Model()
        for (const { number, extra, facts } of list) {
          const seen = kernels.agree(entry, start + number, extra, facts)
          expect(seen).toBe(model.agree({ number, extra, facts }))
        }
        heap.free(entry)
      }),
    )
  })
})
