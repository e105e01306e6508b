// A key that is not valid any more: how both sides hear of it, and how they go on.

import { createHcaTable, WorldMemory } from '@commworld/transport'
import { ALL_RIGHTS, bringUp, connectedPair, nextCompletion, openHost, piece } from './host.mjs'

const memory = WorldMemory.create({ bytes: 2 ** 20 })
createHcaTable(memory, 2)
const [writer, target] = [0, 1].map((index) => openHost(memory, index))
const [from, to] = connectedPair(writer, target)
target.device.events.on('queuePairAccessError', ({ queuePair }) => {
  console.log(`target: event queuePairAccessError, queue pair is in state ${queuePair.state}`)
})

const write = (workRequestId, remoteKey) =>
  from.postSend({
    opcode: 'rdmaWrite',
    workRequestId,
    segments: [piece(writer, 0, 8)],
    remoteAddress: target.address,
    remoteKey,
    signaled: true,
  })

function report() {
  const { workRequestId, statusName } = nextCompletion(writer)
  console.log(`writer: request ${workRequestId}: ${statusName}`)
}

write(1, target.region.remoteKey)
report()

// The target takes its memory away, which the writer does not know.
const staleKey = target.region.remoteKey
target.region.deregister()
write(2, staleKey)
report()
// The queue pair is in the error state: what is posted now is flushed.
write(3, staleKey)
report()
console.log(`writer: ${from.state}, since request ${from.firstError.workRequestId}`)
console.log(`  because: ${from.firstError.cause}`)
target.device.progress()

// Both ends go back to the start and are brought up again, with a region that is there.
for (const end of [from, to]) end.modify({ state: 'reset' })
bringUp(from, { localIdentifier: target.device.localIdentifier, number: to.number })
bringUp(to, { localIdentifier: writer.device.localIdentifier, number: from.number })
const region = target.domain.register(target.address, 64, ALL_RIGHTS)
write(4, region.remoteKey)
report()
