import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { crc32, crc32ByTable, invariantCrc, variantCrc } from '../../src/capture/crc.js'
import { frameBytesMax, writeFrame } from '../../src/capture/frame.js'
import type { Packet, Path } from '../../src/capture/packet.js'
import { dissect } from './dissect.js'

/** The example of IBA vol. 1, 7.8.3: an RDMA WRITE of 14 bytes, and its invariant CRC. */
const example = Uint8Array.from(
  (
    '70 12 37 5c 00 0e 17 d2 0a 20 24 87 00 87 b1 b3 00 0d ec 2a 01 71 0a 1c 01 5d 40 02 38 f2 ' +
    '7a 05 00 00 00 0e bb 88 4d 85 fd 5c fb a4 72 8b c0 69 0e d4 00 00 96 25 b7 5a'
  )
    .split(' ')
    .map((byte) => parseInt(byte, 16)),
)

/** A CRC by its definition: the remainder of the bits, each byte's lowest first. */
function remainder(bytes: Uint8Array, width: number, polynomial: bigint): bigint {
  const all = (1n << BigInt(width)) - 1n
  const top = 1n << BigInt(width - 1)
  let state = all
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit++) {
      const out = (state & top) !== 0n
      state = (state << 1n) & all
      if (out !== (((byte >> bit) & 1) === 1)) state ^= polynomial
    }
  }
  let reversed = 0n
  for (let bit = 0; bit < width; bit++) reversed = (reversed << 1n) | ((state >> BigInt(bit)) & 1n)
  return reversed ^ all
}

const path: Path = {
  sourceIdentifier: 0x17d2,
  destinationIdentifier: 0x375c,
  serviceLevel: 1,
  partitionKey: 0x2487,
  destinationNumber: 0x87b1b3,
}

function frame(packet: Packet, way = path): Uint8Array {
  const view = new DataView(new ArrayBuffer(frameBytesMax(packet) + 7))
  const bytes = writeFrame(view, 7, way, packet)
  return new Uint8Array(view.buffer, 7, bytes)
}

describe('crc', () => {
  test('invariantCrc is that of the example of the specification', () => {
    const body = example.subarray(0, -4)
    const expected = new DataView(example.buffer).getUint32(body.length, true)
    expect(invariantCrc(body, false)).toBe(expected)
  })

  test('both are the remainders that their polynomials give', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(BigInt(crc32(bytes))).toBe(remainder(bytes, 32, 0x04c11db7n))
        expect(crc32ByTable(bytes)).toBe(crc32(bytes))
        expect(BigInt(variantCrc(bytes))).toBe(remainder(bytes, 16, 0x100bn))
      }),
    )
  })
})

describe('writeFrame', () => {
  test('makes the packet of the example of the specification, but for a reserved bit', () => {
    const payload = example.subarray(36, 50)
    const remote = { address: Number(0x01710a1c015d4002n), key: 0x38f27a05, bytes: 14 }
    const made = frame({ opcode: 0x0a, sequence: 0x0dec2a, remote, payload })
    const same = (from: number, to: number): void =>
      expect([...made.subarray(from, to)]).toEqual([...example.subarray(from, to)])
    same(1, 9) // virtual lane 7 there, 0 here
    same(10, 20)
    same(28, 52)
    expect(made[9]! & ~0x40).toBe(example[9]) // MigReq
  })

  test('what it writes is read back, with the right lengths and CRCs', () => {
    const payloads = fc.uint8Array({ maxLength: 40 })
    fc.assert(
      fc.property(payloads, fc.nat(0xffffff), fc.boolean(), (payload, sequence, global) => {
        const route = Uint8Array.from({ length: 40 }, (_, byte) => (byte * 37) & 0xff)
        const way = global ? { ...path, globalRoute: route } : path
        const datagram = { queueKey: 0x8001_0000, sourceNumber: 0x12 }
        const made = frame(
          { opcode: 0x65, sequence, datagram, immediate: 0xdeadbeef, payload },
          way,
        )
        const read = dissect(made)
        expect({ ...read, payload: [...read.payload] }).toMatchObject({
          ...{ from: 0x17d2, to: 0x375c, global, opcode: 0x65, sequence, immediate: 0xdeadbeef },
          ...{ datagram: { queueKey: 0x8001_0000, source: 0x12 }, payload: [...payload] },
          variantCrc: Number(remainder(made.subarray(0, -2), 16, 0x100bn)),
          invariantCrc: invariantCrc(made.subarray(0, -6), global),
        })
      }),
    )
  })
})
