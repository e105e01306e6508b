// Two queue pairs, connected by hand, and a first message. All in one thread: on the direct fabric the
// thread that posts a request carries it out, both halves of it.

import { Access, createHcaTable, Device, WorkCompletion, WorldMemory } from '@commworld/transport'

// The memory that all HCAs of this world can reach, and a table of two of them.
const memory = WorldMemory.create({ bytes: 2 ** 20 })
createHcaTable(memory, 2)

const [alice, bob] = [0, 1].map((index) => {
  const device = Device.open(memory, index)
  // Objects that belong together: a key of one domain is worth nothing in another.
  const domain = device.allocateProtectionDomain()
  const completionQueue = device.createCompletionQueue({ entries: 16 })
  // Memory the HCA may use. Only what is registered can be sent or received into.
  const address = memory.heap.allocate(64)
  const region = domain.register(address, 64, Access.localWrite)
  const queues = { sendQueue: completionQueue, receiveQueue: completionQueue }
  const queuePair = domain.createQueuePair(queues)
  return { device, completionQueue, address, region, queuePair, psn: 0x100 * (index + 1) }
})

// What each side must know of the other. Real programs send it by TCP, MPI sends it by its launcher.
for (const { device, queuePair, psn } of [alice, bob]) {
  const lid = device.localIdentifier
  console.log(`LID ${lid}, queue pair 0x${queuePair.number.toString(16)}, first PSN ${psn}`)
}

for (const [own, peer] of [
  [alice, bob],
  [bob, alice],
]) {
  const states = [own.queuePair.state]
  // Receives may be posted from here on.
  own.queuePair.modify({ state: 'init', port: 1, partitionKeyIndex: 0, access: 0 })
  states.push(own.queuePair.state)
  // It takes messages of this peer.
  own.queuePair.modify({
    state: 'readyToReceive',
    destinationLocalIdentifier: peer.device.localIdentifier,
    destinationQueuePairNumber: peer.queuePair.number,
    pathMtuBytes: 1024,
    receivePacketSequenceNumber: peer.psn,
    responderReadsMax: 1,
    receiverNotReadyTimer: 12,
  })
  states.push(own.queuePair.state)
  // And sends some.
  own.queuePair.modify({
    state: 'readyToSend',
    timeout: 14,
    retryCount: 7,
    receiverNotReadyRetryCount: 7,
    sendPacketSequenceNumber: own.psn,
    initiatorReadsMax: 1,
  })
  states.push(own.queuePair.state)
  console.log(states.join(' -> '))
}

// Bob says where a message may go, then Alice sends one.
const text = new TextEncoder().encode('hello, Bob')
memory.u8.set(text, alice.address)
const piece = ({ address, region }, bytes) => ({ address, bytes, localKey: region.localKey })
bob.queuePair.postReceive({ workRequestId: 7, segments: [piece(bob, 64)] })
alice.queuePair.postSend({
  opcode: 'send',
  workRequestId: 42,
  segments: [piece(alice, text.length)],
  signaled: true,
})

for (const [name, { completionQueue }] of Object.entries({ alice, bob })) {
  const completion = new WorkCompletion()
  completionQueue.pollOne(completion)
  const { opcodeName, workRequestId, statusName, bytes } = completion
  console.log(`${name}: ${opcodeName} ${workRequestId}: ${statusName}, ${bytes} bytes`)
}
console.log(new TextDecoder().decode(memory.u8.slice(bob.address, bob.address + text.length)))
