import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RankWait } from '../../src/record/rank-snapshot.js'
import { smallestCore } from '../../src/diagnose/smallest-core.js'
import { findDeadlock } from '../../src/diagnose/wait-graph.js'
import { isClosed, subsetsOf } from './wait-oracle.js'
import { aWait, awaiting, blockedOn, ended, running } from './waits.js'

const coreOf = (waits: readonly RankWait[]) => smallestCore(findDeadlock(waits), waits)

describe('smallestCore', () => {
  it('is undefined without a deadlock', () => {
    expect(coreOf([blockedOn(0, [1]), running(1)])).toBeUndefined()
  })

  it('prefers the shortest cycle and leaves out who only waits behind it', () => {
    const waits = [
      blockedOn(0, [1]),
      blockedOn(1, [2]),
      blockedOn(2, [0]),
      blockedOn(3, [4]),
      blockedOn(4, [3]),
      blockedOn(5, [0]),
    ]
    expect(coreOf(waits)).toEqual({ shape: 'cycle', ranks: [3, 4] })
  })

  it('lists a cycle in its own order from the lowest rank', () => {
    const waits = [blockedOn(0, [2]), blockedOn(1, [0]), blockedOn(2, [1])]
    expect(coreOf(waits)).toEqual({ shape: 'cycle', ranks: [0, 2, 1] })
  })

  it('is the rank alone that waits for a finished one', () => {
    expect(coreOf([ended(0), blockedOn(1, [0]), blockedOn(2, [1])])).toEqual({
      shape: 'ended',
      ranks: [1],
    })
  })

  it('is a cycle of one for a rank that waits for itself', () => {
    expect(coreOf([blockedOn(0, [0]), running(1)])).toEqual({ shape: 'cycle', ranks: [0] })
  })

  it('takes all alternatives of a wildcard and one cause of everything else', () => {
    const waits = [
      { ...blockedOn(0, ['any']) },
      blockedOn(1, [0]),
      blockedOn(2, [0, 1]),
      awaiting(3, [0, 1]),
    ]
    expect(coreOf(waits)).toEqual({ shape: 'knot', ranks: [0, 1, 2, 3] })
  })

  it('is stuck by itself, and no part of it is', () => {
    fc.assert(
      fc.property(aWait.graph, (waits) => {
        const deadlocked = findDeadlock(waits)
        const core = smallestCore(deadlocked, waits)
        expect(core === undefined).toBe(deadlocked.length === 0)
        if (core === undefined) return
        expect(isClosed(core.ranks, waits)).toBe(true)
        const parts = subsetsOf(core.ranks).filter((part) => part.length < core.ranks.length)
        expect(parts.filter((part) => isClosed(part, waits))).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  it('is the smallest of all where nobody has alternatives', () => {
    const onlyAnd = aWait.graph.map((waits) =>
      waits.map((wait): RankWait => ({
        ...wait,
        mode: 'and',
        arcs: wait.arcs.filter((arc) => arc.peer !== 'any'),
      })),
    )
    fc.assert(
      fc.property(onlyAnd, (waits) => {
        const deadlocked = findDeadlock(waits)
        const core = smallestCore(deadlocked, waits)
        const sizes = subsetsOf(deadlocked)
          .filter((part) => isClosed(part, waits))
          .map((part) => part.length)
        expect(core?.ranks.length ?? Infinity).toBe(Math.min(...sizes))
      }),
      { numRuns: 1000 },
    )
  })

  it('settles for what it has within a bounded search on 1,000 ranks', () => {
    const ring = Array.from({ length: 1000 }, (_, rank) => blockedOn(rank, [(rank + 1) % 1000]))
    const start = performance.now()
    expect(coreOf(ring)?.ranks).toHaveLength(1000)
    expect(performance.now() - start).toBeLessThan(2000)
  })
})
