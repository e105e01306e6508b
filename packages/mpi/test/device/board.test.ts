import { createHcaTable, WorldMemory } from '@commworld/transport'
import { expect, test } from 'vitest'
import { Board, boardBytes } from '../../src/device/board.js'
import type { Endpoint } from '../../src/device/endpoint.js'

const SLOT_BYTES = 64

/** A board as each of its two ranks sees it; nobody sleeps, so nobody needs to be rung. */
function boards(): [Board, Board] {
  const memory = WorldMemory.create({ bytes: 2 ** 20 })
  createHcaTable(memory, 2)
  const address = memory.heap.allocate(boardBytes(2, SLOT_BYTES))
  const endpoint = { notify() {}, rank: 0 } as unknown as Endpoint
  const facts = { address, slotBytes: SLOT_BYTES, size: 2, members: [0, 1] }
  return [0, 1].map((rank) => new Board(memory, endpoint, { ...facts, rank })) as [Board, Board]
}

test('Board lets a rank publish when all have completed what had its entry', () => {
  const [one, other] = boards()
  for (let number = 0; number < 4; number++) expect(one.mayPublish(number)).toBe(true)
  one.publish(0, 0)
  expect(other.isPublished(0, 0, 0)).toBe(true)
  expect(other.isPublished(0, 0, 1)).toBe(false)
  expect(one.mayPublish(4)).toBe(false)
  expect(one.laggard(4)).toBe(1)
  one.complete(0)
  other.complete(0)
  expect(one.mayPublish(4)).toBe(true)
  expect(one.mayPublish(5)).toBe(false)
})

test('Board counts collectives that are completed out of order', () => {
  const [one, other] = boards()
  for (const number of [1, 2, 0]) other.complete(number)
  for (let number = 0; number < 3; number++) one.complete(number)
  expect(one.mayPublish(6)).toBe(true)
  expect(one.mayPublish(7)).toBe(false)
})

test('Board does not take an entry for a later one, however long nothing was published', () => {
  const [one, other] = boards()
  one.publish(0, 1)
  // More than half of what the stages are counted by.
  const count = 2 ** 23 + 2 ** 22
  for (let number = 0; number < count; number++) {
    one.complete(number)
    other.complete(number)
  }
  for (let number = count; number < count + 4; number++) {
    expect(other.isPublished(0, number, 0)).toBe(false)
    expect(one.mayPublish(number)).toBe(true)
    one.publish(number, 0)
    expect(other.isPublished(0, number, 0)).toBe(true)
    expect(other.isPublished(0, number, 1)).toBe(false)
  }
})

test('Board tells who runs what is run once', () => {
  const [one, other] = boards()
  expect(other.claim(3, 0)).toBe(true)
  expect(one.claim(3, 0)).toBe(false)
  expect(one.claimer(3, 0)).toBe(1)
  other.finishOnce(3, 0, other.sharedRoom(3))
  expect(one.claimer(3, 0)).toBe(-1)
  expect(one.onceResult(3)).toBe(one.sharedRoom(3))
})
