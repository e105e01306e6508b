import { describe, expect, test } from 'vitest'

import { directFabric } from '../../src/fabric/direct.js'
import type { Fabric, Responder } from '../../src/fabric/fabric.js'
import { Device } from '../../src/verbs/device.js'
import { Send } from '../../src/verbs/work-request.js'
import { RETRY_EXCEEDED } from '../../src/wire/completion-status.js'
import { ALL_RIGHTS, hosts, outcomes, pair, readBytes, write } from '../verbs/pair.js'
import type { Host } from '../verbs/pair.js'

describe('direct fabric', () => {
  test('carries a request out before the post call returns', () => {
    const { a, b, qa, memory } = pair()
    write(memory, a.buffer.address, [5])
    qa.write(
      a.buffer.address,
      1,
      a.buffer.localKey,
      b.buffer.address,
      b.buffer.remoteKey,
      1,
      Send.none,
    )
    expect(readBytes(memory, b.buffer.address, 1)).toEqual([5])
  })

  test('gives what the responder gives', () => {
    const asked: number[][] = []
    const responder: Pick<Responder, 'respond'> = { respond: (...request) => asked.push(request) }
    expect(directFabric.carry(responder as Responder, 64, 128)).toBe(1)
    expect(asked).toEqual([[64, 128]])
  })
})

describe('Fabric', () => {
  test('decides whether a request arrives', () => {
    const [a, b] = hosts(2) as [Host, Host]
    a.device.close()
    let up = true
    const cable: Fabric = {
      mapsMemory: false,
      carry: (...request) => (up ? directFabric.carry(...request) : RETRY_EXCEEDED),
    }
    const device = Device.open(a.memory, 0, cable)
    const { domain, cq, srq, buffer } = a
    const queues = { sendQueue: cq, receiveQueue: cq, sharedReceiveQueue: srq }
    device.listen({ domain, ...queues, access: ALL_RIGHTS })
    const queuePair = device.connect(1)!
    const post = (id: number, value: number) => {
      write(a.memory, buffer.address, [value])
      const { address, remoteKey } = b.buffer
      queuePair.write(buffer.address, 1, buffer.localKey, address, remoteKey, id, Send.signaled)
    }
    post(1, 1)
    up = false
    post(2, 2)
    expect(outcomes(cq)).toEqual(['1 success', '2 retryExceeded'])
    expect(readBytes(b.memory, b.buffer.address, 1)).toEqual([1])
  })
})
