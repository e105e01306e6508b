import { describe, expect, test } from 'vitest'

import { Post, Send } from '../../src/verbs/work-request.js'
import { outcomes, pair, pollAll, readBytes, write } from './pair.js'

describe('queue pair', () => {
  test('send gathers two segments into a shared receive', () => {
    const { a, b, qa, qb, memory } = pair()
    write(memory, a.buffer.address, [1, 2, 3, 4])
    write(memory, a.buffer.address + 100, [5, 6])
    b.srq.receive(b.buffer.address, 64, b.buffer.localKey, 77)
    const { address, localKey } = a.buffer
    expect(qa.sendTwo(address, 4, localKey, address + 100, 2, localKey, 5, Send.signaled)).toBe(
      Post.ok,
    )
    expect(pollAll(b.cq)).toMatchObject([
      {
        workRequestId: 77,
        bytes: 6,
        source: 0,
        status: 0,
        queuePairNumber: qb.number,
        opcode: 128,
      },
    ])
    expect(readBytes(memory, b.buffer.address, 7)).toEqual([1, 2, 3, 4, 5, 6, 0])
    expect(pollAll(a.cq)).toMatchObject([{ workRequestId: 5, status: 0, opcode: 0, source: -1 }])
  })

  test('send waits for a receive and goes on in order when receives are posted', () => {
    const { a, b, qa, memory } = pair()
    for (let id = 1; id <= 3; id++) {
      write(memory, a.buffer.address, [id])
      expect(qa.sendInline(a.buffer.address, 1, 0, 0, id, Send.signaled)).toBe(Post.ok)
    }
    expect(outcomes(a.cq)).toEqual([])
    for (let id = 0; id < 3; id++) b.srq.receive(b.buffer.address + id, 1, b.buffer.localKey, id)
    expect(outcomes(b.cq)).toEqual([])
    expect(outcomes(a.cq)).toEqual(['1 success', '2 success', '3 success'])
    expect(outcomes(b.cq)).toEqual(['0 success', '1 success', '2 success'])
    expect(readBytes(memory, b.buffer.address, 3)).toEqual([1, 2, 3])
  })

  test('read fetches the peer memory', () => {
    const { a, b, qa, memory } = pair()
    write(memory, b.buffer.address + 8, [9, 8, 7])
    qa.read(
      a.buffer.address,
      3,
      a.buffer.localKey,
      b.buffer.address + 8,
      b.buffer.remoteKey,
      3,
      Send.signaled,
    )
    expect(pollAll(a.cq)).toMatchObject([{ workRequestId: 3, status: 0, opcode: 2, bytes: 3 }])
    expect(readBytes(memory, a.buffer.address, 3)).toEqual([9, 8, 7])
    expect(outcomes(b.cq)).toEqual([])
  })

  test('send fails when its key is stale', () => {
    const { a, b, qa } = pair()
    b.srq.receive(b.buffer.address, 64, b.buffer.localKey, 1)
    a.buffer.deregister()
    qa.send(a.buffer.address, 8, a.buffer.localKey, 1, 0)
    qa.send(a.buffer.address, 8, a.buffer.localKey, 2, 0)
    expect(outcomes(a.cq)).toEqual(['1 localProtectionError', '2 flushed'])
    expect(qa.state).toBe('error')
  })
})
