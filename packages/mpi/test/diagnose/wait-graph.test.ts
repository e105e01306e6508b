import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDeadlock } from '../../src/diagnose/wait-graph.js'
import { aWait, awaiting, blockedOn, ended, running } from './waits.js'
import { stuckByFixpoint } from './wait-oracle.js'

describe('findDeadlock', () => {
  it('finds two ranks that wait for each other, while a third still computes', () => {
    const waits = [blockedOn(0, [1]), blockedOn(1, [0]), running(2)]
    expect(findDeadlock(waits)).toEqual([0, 1])
  })

  it('counts a rank in a timer or at its start as movable', () => {
    const outside = { ...running(1), state: 'outside' as const }
    const starting = { ...running(2), state: 'starting' as const }
    expect(findDeadlock([blockedOn(0, [1]), outside])).toEqual([])
    expect(findDeadlock([blockedOn(0, [2]), starting])).toEqual([])
  })

  it('finds the rank that waits for a finished one, and whoever waits for that rank', () => {
    const waits = [ended(0), blockedOn(1, [0]), blockedOn(2, [1])]
    expect(findDeadlock(waits)).toEqual([1, 2])
  })

  it('lets a wildcard receive move as long as one other rank can', () => {
    expect(findDeadlock([blockedOn(0, ['any']), blockedOn(1, [0]), running(2)])).toEqual([])
    expect(findDeadlock([blockedOn(0, ['any']), blockedOn(1, [0]), ended(2)])).toEqual([0, 1])
  })

  it('needs both halves of a sendrecv', () => {
    expect(findDeadlock([blockedOn(0, [1, 2]), running(1), ended(2)])).toEqual([0])
  })

  it('takes an open wait without any request for stuck, and a satisfied one for movable', () => {
    expect(findDeadlock([awaiting(0, [])])).toEqual([0])
    expect(findDeadlock([blockedOn(0, [])])).toEqual([])
  })

  it('keeps a rank that synchronously sends to itself', () => {
    expect(findDeadlock([blockedOn(0, [0]), running(1)])).toEqual([0])
  })

  it('does not let a collective wait for its own rank', () => {
    expect(findDeadlock([blockedOn(0, ['all']), running(1)])).toEqual([])
    expect(findDeadlock([blockedOn(0, ['all']), ended(1)])).toEqual([0])
  })

  it('agrees with a naive fixpoint on random graphs', () => {
    fc.assert(
      fc.property(aWait.graph, (waits) => {
        expect(findDeadlock(waits)).toEqual(stuckByFixpoint(waits))
      }),
      { numRuns: 2000 },
    )
  })

  it('is linear: 2,000 ranks behind one wildcard take milliseconds', () => {
    const waits = Array.from({ length: 2000 }, (_, rank) => blockedOn(rank, ['any']))
    const start = performance.now()
    expect(findDeadlock(waits)).toHaveLength(2000)
    expect(performance.now() - start).toBeLessThan(500)
  })
})
