import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OutputOrder, WriteCounter } from '../../src/launch/output/output-order.js'

function delivered(numbers: readonly number[], finish: boolean): number[] {
  const order = new OutputOrder()
  const seen: number[] = []
  for (const number of numbers) order.add(number, () => seen.push(number))
  if (finish) order.finish()
  return seen
}

describe('OutputOrder', () => {
  it('delivers each write once, in order, in whatever order they come', () => {
    const shuffled = fc
      .nat(50)
      .chain((count) => fc.shuffledSubarray([...Array(count).keys()], { minLength: count }))
    fc.assert(
      fc.property(shuffled, (numbers) => {
        expect(delivered(numbers, false)).toEqual([...numbers].sort((a, b) => a - b))
      }),
    )
  })

  it('waits for a write that is missing, and leaves it out at the end', () => {
    expect(delivered([0, 3, 2], false)).toEqual([0])
    expect(delivered([0, 3, 2], true)).toEqual([0, 2, 3])
  })
})

describe('WriteCounter', () => {
  it('counts for all who share it', () => {
    const counter = new WriteCounter()
    const other = new WriteCounter(counter.shared)
    expect([counter.next(), other.next(), counter.next()]).toEqual([0, 1, 2])
  })
})
