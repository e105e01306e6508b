import fc from 'fast-check'
import { expect, test } from 'vitest'

import { Access } from '../../src/verbs/access.js'
import type { SendRequest } from '../../src/verbs/work-request.js'
import { outcomes, pair } from './pair.js'

const { localWrite, remoteWrite, remoteRead, remoteAtomic } = Access
/** Remote writes and atomics need local ones. */
const GRANTS = [0, remoteWrite, remoteRead, remoteAtomic, remoteWrite | remoteRead].flatMap(
  (remote) => [remote, remote | remoteAtomic],
)

const OPERATIONS: Readonly<Record<string, { right: number; request: Partial<SendRequest> }>> = {
  rdmaWrite: { right: remoteWrite, request: {} },
  rdmaWriteWithImmediate: { right: remoteWrite, request: { immediate: 7 } },
  rdmaRead: { right: remoteRead, request: {} },
  fetchAndAdd: { right: remoteAtomic, request: { operand: 1n } },
  compareAndSwap: { right: remoteAtomic, request: { operand: 1n, compare: 0n } },
}

/** What an operation on 8 bytes ends with, and what it leaves in them. */
function carriedOut(
  opcode: string,
  { ofQueuePair, ofRegion, offset }: { ofQueuePair: number; ofRegion: number; offset: number },
): { status: string; changed: boolean } {
  const { a, b, qa, qb, memory } = pair()
  qb.modify({ access: ofQueuePair })
  const region = b.domain.register(b.buffer.address, 64, ofRegion | localWrite)
  b.srq.receive(b.buffer.address + 128, 8, b.buffer.localKey, 70)
  memory.u8.fill(9, a.buffer.address, a.buffer.address + 8)
  qa.postSend({
    opcode: opcode as SendRequest['opcode'],
    workRequestId: 1,
    signaled: true,
    segments: [{ address: a.buffer.address, bytes: 8, localKey: a.buffer.localKey }],
    remoteAddress: b.buffer.address + offset,
    remoteKey: region.remoteKey,
    ...OPERATIONS[opcode]!.request,
  } as SendRequest)
  const [status] = outcomes(a.cq)
  const there = memory.u8.subarray(b.buffer.address, b.buffer.address + 64)
  return { status: status!, changed: there.some((byte) => byte !== 0) }
}

test('an operation is carried out when queue pair and region grant it, and leaves no trace otherwise', () => {
  const grants = fc.constantFrom(...GRANTS)
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(OPERATIONS)),
      grants,
      grants,
      (opcode, ofQueuePair, ofRegion) => {
        const { right } = OPERATIONS[opcode]!
        const seen = carriedOut(opcode, { ofQueuePair, ofRegion, offset: 8 })
        if ((ofQueuePair & right) === 0) {
          expect(seen).toEqual({ status: '1 remoteInvalidRequest', changed: false })
        } else if ((ofRegion & right) === 0) {
          expect(seen).toEqual({ status: '1 remoteAccessError', changed: false })
        } else {
          expect(seen).toEqual({ status: '1 success', changed: opcode !== 'rdmaRead' })
        }
      },
    ),
    { numRuns: 200 },
  )
})

test('an atomic at an address that is no multiple of 8 is refused', () => {
  for (const opcode of ['fetchAndAdd', 'compareAndSwap']) {
    for (let offset = 0; offset <= 8; offset++) {
      const rights = { ofQueuePair: remoteAtomic, ofRegion: remoteAtomic }
      const { status } = carriedOut(opcode, { ...rights, offset })
      expect(status).toBe(offset % 8 === 0 ? '1 success' : '1 remoteInvalidRequest')
    }
    // The address is looked at before the range.
    const beyond = { ofQueuePair: remoteAtomic, ofRegion: remoteAtomic, offset: 67 }
    expect(carriedOut(opcode, beyond).status).toBe('1 remoteInvalidRequest')
  }
})
