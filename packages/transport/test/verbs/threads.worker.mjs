// Threads for threads.test.ts, on the built package.
import { parentPort, workerData } from 'node:worker_threads'

import { Access, Device, Post, Send, WorkCompletion, WorldMemory } from '@commworld/transport'

const { shared, role, index, options } = workerData
const memory = WorldMemory.attach(shared)
const { i32 } = memory
const device = Device.open(memory, index)
const domain = device.allocateProtectionDomain()
const cq = device.createCompletionQueue({ entries: 512 })
const srq = domain.createSharedReceiveQueue({ entries: 64 })
const BYTES = 4096
const rights = Access.localWrite | Access.remoteWrite | Access.remoteRead
const buffer = domain.register(memory.heap.allocate(BYTES), BYTES, rights)
const completion = new WorkCompletion()
const bell = device.doorbellAddress >>> 2

device.listen({
  domain,
  sendQueue: cq,
  receiveQueue: cq,
  sharedReceiveQueue: srq,
  access: rights,
  sendEntries: 16,
})
parentPort.postMessage('listening')
await new Promise((resolve) => parentPort.once('message', resolve))
parentPort.postMessage({
  result: { pingPong, flood, collect, attack, defend, churn }[role](options),
})

/** Takes the next completion; sleeps on the doorbell when there is none. */
function next() {
  for (let spins = 0; ; spins++) {
    if (cq.pollOne(completion)) return completion
    if (spins < 50) continue
    const count = Atomics.load(i32, bell)
    Atomics.store(i32, bell + 1, 1)
    const found = cq.pollOne(completion)
    if (!found && Atomics.wait(i32, bell, count, 5000) === 'timed-out')
      throw new Error('no completion')
    Atomics.store(i32, bell + 1, 0)
    if (found) return completion
  }
}

/** Sends a number to and fro; each side adds one. */
function pingPong({ peer, rounds }) {
  const queuePair = device.connect(peer)
  const at = buffer.address >>> 2
  srq.receive(buffer.address, 64, buffer.localKey, 0)
  let value = 0
  if (index === 0) queuePair.sendInline(buffer.address, 64, 0, 0, 0, Send.none)
  while (value < rounds) {
    const { isReceive, status } = next()
    if (status !== 0) throw new Error(completion.statusName)
    if (!isReceive) continue
    value = i32[at] + 1
    i32[at] = value
    srq.receive(buffer.address, 64, buffer.localKey, 0)
    while (queuePair.sendInline(buffer.address, 64, 0, 0, 0, Send.signaled) === Post.queueFull)
      next()
  }
  return value
}

/** Sends numbered messages as fast as the queue takes them. */
function flood({ target, count }) {
  const queuePair = device.connect(target)
  let completed = 0
  for (let sent = 0; sent < count;) {
    i32[buffer.address >>> 2] = sent
    if (queuePair.sendInline(buffer.address, 4, 0, 0, sent, Send.signaled) === Post.ok) {
      sent++
    } else {
      expectCompletion(completed++)
    }
  }
  while (completed < count) expectCompletion(completed++)
  return completed
}

function expectCompletion(id) {
  const { status, statusName, workRequestId } = next()
  if (status === 0 && workRequestId === id) return
  throw new Error(`request ${workRequestId} instead of ${id}, ${statusName}`)
}

/** Receives from all with few receives posted; gives how many came from each, in order. */
function collect({ senders, count, receives }) {
  const expected = new Map(senders.map((sender) => [sender, 0]))
  for (let id = 0; id < receives; id++) post(id)
  for (let left = senders.length * count; left > 0; left--) {
    const { workRequestId, source, status } = next()
    if (status !== 0) throw new Error(completion.statusName)
    const value = i32[(buffer.address + workRequestId * 4) >>> 2]
    if (value !== expected.get(source)) throw new Error(`${source} sent ${value}`)
    expected.set(source, value + 1)
    post(workRequestId)
  }
  return [...expected.values()]

  function post(id) {
    srq.receive(buffer.address + id * 4, 4, buffer.localKey, id)
  }
}

/** WRITEs ones to the region whose key the other thread publishes, as long as it lets it. */
function attack({ peer, board }) {
  memory.kernels.fill(buffer.address, 1, BYTES)
  let refused = 0
  for (;;) {
    const key = Atomics.load(i32, board >>> 2)
    if (key === -1) return refused
    const queuePair = device.connect(peer)
    const target = i32[(board >>> 2) + 1] >>> 0
    if (key === 0) continue
    let status = 0
    while (status === 0) {
      queuePair.write(buffer.address, BYTES, buffer.localKey, target, key >>> 0, 1, Send.signaled)
      status = next().status
    }
    refused++
    queuePair.destroy()
  }
}

/** Lets its memory be written, takes it away, and looks whether a byte comes late. */
function defend({ peer, board, rounds }) {
  const address = memory.heap.allocate(BYTES)
  let written = 0
  for (let round = 0; round < rounds; round++) {
    const region = domain.register(address, BYTES, rights)
    i32[(board >>> 2) + 1] = address
    Atomics.store(i32, board >>> 2, region.remoteKey | 0)
    for (let spins = 0; spins < 1e6 && Atomics.load(i32, address >>> 2) === 0; spins++);
    const queuePair = device.findQueuePair(peer)
    Atomics.store(i32, board >>> 2, 0)
    region.deregister()
    if (memory.u8[address] === 1) written++
    memory.kernels.fill(address, 0, BYTES)
    for (let spins = 0; spins < 2000; spins++) {
      if (Atomics.load(i32, (address + ((spins * 64) % BYTES)) >>> 2) !== 0)
        throw new Error('stray')
    }
    if (queuePair?.state === 'error') queuePair.destroy()
  }
  Atomics.store(i32, board >>> 2, -1)
  return written
}

/** Connects, sends and destroys without any agreement with the others; then gives everything back. */
function churn({ peers, rounds, board }) {
  for (let id = 0; id < 8; id++) srq.receive(buffer.address, 64, buffer.localKey, id)
  let arrived = 0
  for (let round = 0; round < rounds; round++) {
    const queuePair = device.connect(peers[round % peers.length])
    for (let count = 0; count < 3; count++) {
      queuePair.sendInline(buffer.address, 8, 0, 0, 0, Send.signaled)
    }
    while (cq.pollOne(completion)) {
      if (!completion.isReceive) continue
      if (completion.succeeded) arrived++
      srq.receive(buffer.address, 64, buffer.localKey, completion.workRequestId)
    }
    if (round % 2 === 0 || queuePair.state === 'error') queuePair.destroy()
  }
  meet()
  for (const queuePair of device.queuePairs()) queuePair.destroy()
  meet()
  device.close()
  cq.destroy()
  srq.destroy()
  return arrived

  /** Returns when all threads have come here as often. */
  function meet() {
    const turn = Math.floor(Atomics.add(i32, board >>> 2, 1) / (peers.length + 1)) + 1
    while (Atomics.load(i32, board >>> 2) < turn * (peers.length + 1)) device.progress()
  }
}
