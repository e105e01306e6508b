import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OverlapError } from '../../src/errors/index.js'
import { Ownership, type OwnedMemory } from '../../src/p2p/ownership.js'

/** Two plain buffers, and the world's memory, which goes by address. */
const plain = [new ArrayBuffer(64), new ArrayBuffer(64)]

interface Part {
  where: 'world' | 0 | 1
  start: number
  bytes: number
}

const part: fc.Arbitrary<Part> = fc.record({
  where: fc.constantFrom('world' as const, 0 as const, 1 as const),
  start: fc.nat(40).map((word) => word + 1),
  bytes: fc.nat(8),
})

function memoryOf({ where, start, bytes }: Part): OwnedMemory {
  if (where === 'world') {
    return { address: 1000 + start, bytesMax: bytes, data: new Uint8Array(0) }
  }
  return { address: 0, bytesMax: bytes, data: new Uint8Array(plain[where]!, start, bytes) }
}

function meet(a: Part, b: Part): boolean {
  return (
    a.bytes > 0 &&
    b.bytes > 0 &&
    a.where === b.where &&
    a.start < b.start + b.bytes &&
    b.start < a.start + a.bytes
  )
}

const step = fc.record({
  part,
  does: fc.constantFrom('receive' as const, 'send' as const, 'end' as const),
  which: fc.nat(),
})

test('Ownership refuses what writes anything owned, and what reads anything to be written', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (program) => {
      const ownership = new Ownership()
      const underWay: { part: Part; receives: boolean; memory: OwnedMemory }[] = []
      for (const { part: asked, does, which } of program) {
        const memory = memoryOf(asked)
        if (does === 'end') {
          const [ended] = underWay.splice(which % Math.max(1, underWay.length), 1)
          if (ended?.receives) ownership.removeReceive(ended.memory)
          else if (ended !== undefined) ownership.removeSend(...rangeOf(ended.memory))
        } else if (does === 'receive') {
          const refused = underWay.some((other) => meet(other.part, asked))
          expectRefusal(refused, () => ownership.checkReceive(memory, 'recvInto'))
          expectRefusal(refused, () => ownership.addReceive(memory, 'irecvInto'))
          if (refused) continue
          underWay.push({ part: asked, receives: true, memory })
        } else {
          const refused = underWay.some((other) => other.receives && meet(other.part, asked))
          expectRefusal(refused, () => {
            if (memory.address === 0) ownership.checkSendElsewhere(memory.data, 'isend')
            else ownership.checkSend(...rangeOf(memory), 'isend')
          })
          // Plain memory is copied when the send starts, so that nothing owns it.
          if (refused || memory.address === 0) continue
          ownership.addSend(...rangeOf(memory))
          underWay.push({ part: asked, receives: false, memory })
        }
        expect(ownership.busy).toBe(underWay.length > 0)
      }
    }),
    { numRuns: 200 },
  )
})

test('Ownership says which world memory is owned at all', () => {
  const ownership = new Ownership()
  ownership.addSend(100, 200)
  ownership.addReceive({ address: 300, bytesMax: 8, data: new Uint8Array(0) }, 'irecvInto')
  expect(ownership.isOwned(199, 250)).toBe(true)
  expect(ownership.isOwned(200, 300)).toBe(false)
  expect(ownership.isOwned(0, 301)).toBe(true)
  ownership.removeSend(100, 200)
  expect(ownership.isOwned(0, 300)).toBe(false)
})

function rangeOf({ address, bytesMax }: OwnedMemory): [number, number] {
  return [address, address + bytesMax]
}

function expectRefusal(refused: boolean, check: () => void): void {
  if (refused) expect(check).toThrow(OverlapError)
  else check()
}
