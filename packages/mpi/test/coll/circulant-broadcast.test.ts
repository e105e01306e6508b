import { expect, test } from 'vitest'
import { broadcastRounds, circulantBroadcast } from '../../src/coll/pattern/circulant-broadcast.js'
import { ceilLog } from '../../src/coll/pattern/logarithm.js'

/** Ranks that lack a block at the end, or send one that they have not had, or get one twice. */
function faults(size: number, blocks: number): string[] {
  const found: string[] = []
  const had = Array.from({ length: size }, (_, rank) => new Set(rank === 0 ? range(blocks) : []))
  for (let k = 0; k < broadcastRounds(size, blocks); k++) {
    const rounds = range(size).map((rank) => circulantBroadcast(k, { size, rank, blocks }))
    rounds.forEach(({ skip, given }, rank) => {
      const to = (rank + skip) % size
      if (given >= 0 && !had[rank]!.has(given)) found.push(`${rank} has no ${given} in round ${k}`)
      if (rounds[to]!.taken !== given) found.push(`${to} does not expect ${given} in round ${k}`)
    })
    rounds.forEach(({ taken }, rank) => {
      if (had[rank]!.has(taken)) found.push(`${rank} gets ${taken} twice`)
      if (taken >= 0) had[rank]!.add(taken)
    })
  }
  range(size).forEach((rank) => {
    if (had[rank]!.size !== blocks) found.push(`${rank} has ${had[rank]!.size} blocks`)
  })
  return found
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i)
}

test('circulantBroadcast gives each rank each block once, for any number of ranks and blocks', () => {
  for (let size = 1; size <= 140; size++) {
    const q = ceilLog(size, 2)
    for (const blocks of new Set([1, 2, q, q + 1, 2 * q + 1])) {
      if (blocks > 0)
        expect({ size, blocks, faults: faults(size, blocks) }).toEqual({ size, blocks, faults: [] })
    }
  }
})

test('circulantBroadcast takes as few rounds as any broadcast can', () => {
  expect(broadcastRounds(1, 9)).toBe(0)
  expect(broadcastRounds(8, 1)).toBe(3)
  expect(broadcastRounds(9, 5)).toBe(4 + 4)
})
