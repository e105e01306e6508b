import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { capture } from '../../src/capture/capture.js'
import { PacketFabric } from '../../src/fabric/packets/packet-fabric.js'
import type { EventChannel } from '../../src/verbs/connection/event-channel.js'
import { part, sides } from '../verbs/packet-pair.js'
import { dissectFile } from './dissect.js'
import { complaints, hasTshark, tshark } from './tshark.js'

const folder = mkdtempSync(join(tmpdir(), 'pcap-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A client connects, says something and leaves; what was captured of it. */
function conversation(packets?: PacketFabric): string {
  const file = join(folder, 'connection.pcap')
  const trace = capture(file, packets === undefined ? {} : { fabric: packets })
  const { a, b, sides: both, run } = sides({ fabric: trace.fabric })
  const poll = (channel: EventChannel | undefined) => {
    for (let round = 0; round < 4; round++) run()
    return channel!.poll()!
  }
  const [near, far] = both.map(({ device }) => device.createEventChannel())
  const server = b.device.createConnectionIdentifier(far!)
  server.bindAddress(7471)
  server.listen(1)
  const client = a.device.createConnectionIdentifier(near!)
  client.resolveAddress({ localIdentifier: 2, port: 7471 })
  poll(near).acknowledge()
  client.resolveRoute()
  poll(near).acknowledge()
  const queues = (side: typeof a) => ({ sendQueue: side.cq, receiveQueue: side.cq })
  const queuePair = client.createQueuePair(a.domain, queues(a))
  client.connect({ privateData: new TextEncoder().encode('hello') })
  const request = poll(far)
  const accepted = request.id
  accepted.createQueuePair(b.domain, queues(b)).postReceive({ segments: [part(b, 0, 64)] })
  accepted.accept()
  request.acknowledge()
  poll(near).acknowledge()
  poll(far).acknowledge()
  queuePair.postSend({ opcode: 'send', segments: [part(a, 0, 64)] })
  run()
  client.disconnect()
  for (let round = 0; round < 4; round++) run()
  trace.close()
  return file
}

test.each<[string, () => PacketFabric | undefined]>([
  ['direct', () => undefined],
  ['packets', () => new PacketFabric()],
])('capture shows how the connection manager connects, on the %s fabric', (_name, makeFabric) => {
  const file = conversation(makeFabric())
  const packets = dissectFile(readFileSync(file))
  const management = packets.filter(({ opcode }) => opcode === 0x64)
  const attributes = management.map(({ from, payload }) => [
    from,
    (payload[16]! << 8) | payload[17]!,
  ])
  expect(attributes).toEqual([
    [1, 0x10],
    [2, 0x13],
    [1, 0x14],
    [1, 0x15],
    [2, 0x16],
  ])
  for (const { destination, datagram, payload } of management) {
    expect({ destination, datagram, bytes: payload.length }).toEqual({
      destination: 1,
      datagram: { queueKey: 0x8001_0000, source: 1 },
      bytes: 256,
    })
  }
  const [request] = management
  expect(new TextDecoder().decode(request!.payload.subarray(24 + 140 + 36, 24 + 140 + 41))).toBe(
    'hello',
  )
  const data = packets.find(({ opcode }) => opcode === 0x04)!
  const view = new DataView(request!.payload.buffer, request!.payload.byteOffset)
  expect(view.getUint32(24 + 44) >>> 8).toBe(data.sequence)
  if (!hasTshark) return
  expect(complaints(file)).toEqual([])
  const names = tshark(file, ['_ws.col.Info']).map(([info]) => info!.trim())
  expect(names.slice(0, 3).map((name) => name.replace(/ QP=.*/, ''))).toEqual([
    'CM: ConnectRequest',
    'CM: ConnectReply',
    'CM: ReadyToUse',
  ])
})
