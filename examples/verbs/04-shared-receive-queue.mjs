// One receive queue for many peers: a server of three clients posts four receives, not four for each.

import { createHcaTable, WorldMemory } from '@commworld/transport'
import { bringUp, createQueuePair, nextCompletion, openHost, piece } from './host.mjs'
import { readText, writeText } from './host.mjs'

const CLIENTS = 3
const RECEIVES = 4
const ROOM = 32

const memory = WorldMemory.create({ bytes: 2 ** 20 })
createHcaTable(memory, 1 + CLIENTS)
const server = openHost(memory, 0)
const sharedReceiveQueue = server.domain.createSharedReceiveQueue({ entries: RECEIVES })
const post = (id) =>
  sharedReceiveQueue.postReceive({ workRequestId: id, segments: [piece(server, id * ROOM, ROOM)] })
for (let id = 0; id < RECEIVES; id++) post(id)

// It says so when it runs low, once for each time it is armed.
sharedReceiveQueue.modify({ limit: 2 })
server.device.events.on('sharedReceiveQueueLimitReached', () => {
  console.log('event: fewer than 2 receives are left')
})

const clients = Array.from({ length: CLIENTS }, (_, index) => {
  const client = openHost(memory, 1 + index)
  const near = createQueuePair(client)
  const far = createQueuePair(server, { sharedReceiveQueue })
  bringUp(near, { localIdentifier: server.device.localIdentifier, number: far.number })
  bringUp(far, { localIdentifier: client.device.localIdentifier, number: near.number })
  return { client, near }
})

for (const { client, near } of clients) {
  const bytes = writeText(client, 0, `from LID ${client.device.localIdentifier}`)
  near.postSend({ opcode: 'send', segments: [piece(client, 0, bytes)], signaled: true })
}

// Receives are used in the order in which they were posted, whoever sends.
for (let count = 0; count < CLIENTS; count++) {
  const { workRequestId, bytes, sourceLocalIdentifier } = nextCompletion(server)
  const text = readText(server, workRequestId * ROOM, bytes)
  console.log(`receive ${workRequestId}: '${text}', sent by LID ${sourceLocalIdentifier}`)
  post(workRequestId)
}
server.device.progress()
console.log(`${sharedReceiveQueue.available} receives are posted again`)
