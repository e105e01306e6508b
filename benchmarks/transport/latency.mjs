// One-way latency of 8 bytes on the verbs layer alone, by the paths that MPI may take:
//
//   send, one thread   SEND into a shared receive queue, completion polled, receive posted again
//   send               the same as a ping-pong between two threads that spin
//   ring               the same with messages in a polled ring (ring/message-ring.ts)
//   read               RDMA READ of 8 bytes, completion polled
//
// Usage: node benchmarks/transport/latency.mjs [iterations]

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

import {
  Access,
  createHcaTable,
  Device,
  hcaAddress,
  messageRingBytes,
  MessageRingReceiver,
  MessageRingSender,
  Post,
  Send,
  WorkCompletion,
  WorldMemory,
} from '@commworld/transport'

const BYTES = 8
const RECEIVES = 64
const RING_LINES = 512
const REPETITIONS = 5
const HEAD = 1

if (isMainThread) main(Number(process.argv[2] ?? 100_000))
else answer(workerData)

function main(iterations) {
  const memory = WorldMemory.create({ bytes: 16 * 2 ** 20 })
  createHcaTable(memory, 2)
  const [near, far] = [openHost(memory, 0), openHost(memory, 1)]
  print(
    'send, one thread',
    best(iterations, () => sendToSelf(near, far, iterations)),
  )
  print(
    'read',
    best(iterations, () => read(near, far, iterations)),
  )
  near.close()
  far.close()
  const threads = WorldMemory.create({ bytes: 16 * 2 ** 20 })
  createHcaTable(threads, 2)
  const ringAddresses = [0, 1].map(() => threads.heap.allocate(messageRingBytes(RING_LINES)))
  const data = { shared: threads.shared, ringAddresses, iterations }
  const worker = new Worker(new URL(import.meta.url), { workerData: data })
  worker.once('message', () => {
    const host = openHost(threads, 0)
    const peer = connect(host, 1)
    print(
      'send',
      best(2 * iterations, () => pingPong(host, peer, iterations, true)),
    )
    const link = openRings(threads, 0, ringAddresses)
    print(
      'ring',
      best(2 * iterations, () => ringPingPong(link, iterations, true)),
    )
  })
}

/** The other thread's half of every ping-pong. */
function answer({ shared, ringAddresses, iterations }) {
  const memory = WorldMemory.attach(shared)
  const host = openHost(memory, 1)
  parentPort.postMessage('listening')
  const peer = connect(host, 0)
  for (let count = 0; count < REPETITIONS; count++) pingPong(host, peer, iterations, false)
  const link = openRings(memory, 1, ringAddresses)
  for (let count = 0; count < REPETITIONS; count++) ringPingPong(link, iterations, false)
}

/** Nanoseconds a message, the best of several repetitions. */
function best(messages, run) {
  let least = Infinity
  for (let count = 0; count < REPETITIONS; count++) {
    const start = performance.now()
    run()
    least = Math.min(least, ((performance.now() - start) * 1e6) / messages)
  }
  return least
}

function print(name, nanoseconds) {
  console.log(`${name.padEnd(20)} ${nanoseconds.toFixed(0).padStart(6)} ns`)
}

// ---- queue pairs ------------------------------------------------------------------------------

function openHost(memory, index) {
  const device = Device.open(memory, index)
  const domain = device.allocateProtectionDomain()
  const cq = device.createCompletionQueue({ entries: 256 })
  const sendCq = device.createCompletionQueue({ entries: 256 })
  const srq = domain.createSharedReceiveQueue({ entries: RECEIVES })
  const bytes = RECEIVES * 64
  const rights = Access.localWrite | Access.remoteRead
  const region = domain.register(memory.heap.allocate(bytes), bytes, rights)
  const queues = { sendQueue: sendCq, receiveQueue: cq, sharedReceiveQueue: srq }
  for (let id = 0; id < RECEIVES; id++) post(srq, region, id)
  device.listen({ domain, ...queues, access: rights })
  const close = () => device.close()
  return { device, cq, sendCq, srq, region, completion: new WorkCompletion(), close }
}

function connect({ device }, index) {
  for (;;) {
    const queuePair = device.connect(index)
    if (queuePair !== undefined) return queuePair
  }
}

function post(srq, region, id) {
  srq.receive(region.address + id * 64, 64, region.localKey, id)
}

/** Posts a send; every so often one with a completion, so that the queue's entries come free. */
function send(host, queuePair, count) {
  const { region, sendCq, completion } = host
  const flags = count % 32 === 31 ? Send.signaled : Send.none
  const posted = queuePair.send(region.address, BYTES, region.localKey, count, flags)
  if (posted !== Post.ok) throw new Error(`post failed: ${posted}`)
  if (flags !== Send.none) while (!sendCq.pollOne(completion)) continue
}

function receive({ cq, srq, region, completion }) {
  while (!cq.pollOne(completion)) continue
  post(srq, region, completion.workRequestId)
}

function sendToSelf(near, far, iterations) {
  const queuePair = connect(near, 1)
  for (let count = 0; count < iterations; count++) {
    send(near, queuePair, count)
    receive(far)
  }
}

function read(near, far, iterations) {
  const queuePair = connect(near, 1)
  const { address, localKey } = near.region
  const { address: remoteAddress, remoteKey } = far.region
  for (let count = 0; count < iterations; count++) {
    queuePair.read(address, BYTES, localKey, remoteAddress, remoteKey, count, Send.signaled)
    near.sendCq.pollOne(near.completion)
  }
}

function pingPong(host, peer, iterations, first) {
  for (let count = 0; count < iterations; count++) {
    if (first) send(host, peer, count)
    receive(host)
    if (!first) send(host, peer, count)
  }
}

// ---- polled rings -----------------------------------------------------------------------------

function openRings(memory, index, addresses) {
  const doorbell = hcaAddress(memory.i32, 1 - index)
  return {
    sender: new MessageRingSender(memory, addresses[1 - index], RING_LINES, doorbell),
    receiver: new MessageRingReceiver(memory, addresses[index], RING_LINES, doorbell),
  }
}

function ringPingPong({ sender, receiver }, iterations, first) {
  for (let count = 0; count < iterations; count++) {
    if (first) ringSend(sender)
    while (receiver.poll() === 0) continue
    receiver.release(BYTES)
    if (!first) ringSend(sender)
  }
}

function ringSend(sender) {
  const at = sender.reserve(BYTES)
  if (at === 0) throw new Error('the ring is full')
  sender.publish(HEAD, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}
