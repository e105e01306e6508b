import { describe, expect, test } from 'vitest'

import type { Fabric } from '../../src/fabric/fabric.js'
import { Access } from '../../src/verbs/access.js'
import { Device } from '../../src/verbs/device.js'
import { pair } from './pair.js'

describe('checked mapping', () => {
  function map(change: (both: ReturnType<typeof pair>) => void = () => undefined) {
    const both = pair()
    change(both)
    const { a, b, qa } = both
    const { address, remoteKey } = b.buffer
    return { ...both, mapping: a.device.map(qa, address + 64, 128, remoteKey, Access.remoteWrite) }
  }

  test('gives the address of what RDMA could write', () => {
    const { b, mapping } = map()
    expect(mapping?.address).toBe(b.buffer.address + 64)
    expect(mapping?.valid()).toBe(true)
    expect(mapping?.enter()).toBe(true)
    mapping?.leave()
  })

  test('is refused where RDMA would be', () => {
    const { a, b, qa, qb } = pair()
    const { address, remoteKey } = b.buffer
    const refused = (at: number, bytes: number, key: number) =>
      expect(a.device.map(qa, at, bytes, key, Access.remoteWrite)).toBeUndefined()
    refused(address, 4097, remoteKey)
    refused(address - 1, 8, remoteKey)
    refused(address, 8, remoteKey + 1)
    const readable = b.domain.register(address, 64, Access.remoteRead)
    refused(address, 8, readable.remoteKey)
    qb.modify({ access: Access.remoteRead })
    refused(address, 8, remoteKey)
  })

  test.each<[string, (both: ReturnType<typeof map>) => void]>([
    ['the region is deregistered', ({ b }) => b.buffer.deregister()],
    ['the own queue pair fails', ({ qa }) => qa.modify({ state: 'error' })],
    ['the peer queue pair fails', ({ qb }) => qb.modify({ state: 'error' })],
    ['the peer queue pair is destroyed', ({ qb }) => qb.destroy()],
  ])('ends when %s', (_, change) => {
    const both = map()
    expect(both.mapping?.valid()).toBe(true)
    change(both)
    expect(both.mapping?.valid()).toBe(false)
    expect(both.mapping?.enter()).toBe(false)
    both.mapping?.leave()
  })

  test('does not exist on a fabric that maps no memory', () => {
    const { a, b, memory } = pair()
    a.device.close()
    const far: Fabric = { mapsMemory: false, carry: () => 0 }
    const device = Device.open(memory, 0, far)
    device.listen({
      domain: a.domain,
      sendQueue: a.cq,
      receiveQueue: a.cq,
      sharedReceiveQueue: a.srq,
      access: Access.none,
    })
    const queuePair = device.connect(1)!
    const { address, remoteKey } = b.buffer
    expect(device.mapsMemory).toBe(false)
    expect(device.map(queuePair, address, 8, remoteKey, Access.remoteWrite)).toBeUndefined()
  })
})
