// Threads for threads.test.ts, on the built package. Each has a device, a queue pair to each other
// thread connected by hand over a board in shared memory, and one role.
import { parentPort, workerData } from 'node:worker_threads'

import { Access, Device, Send, WorkCompletion, WorldMemory } from '@commworld/transport'

const { shared, role, index, options, board } = workerData
const memory = WorldMemory.attach(shared)
const { i32, u8 } = memory
const device = Device.open(memory, index)
const domain = device.allocateProtectionDomain()
const cq = device.createCompletionQueue({ entries: 4096 })
const BYTES = 4096
const rights = Access.localWrite | Access.remoteWrite | Access.remoteRead | Access.remoteAtomic
const address = memory.heap.allocate(4 * BYTES)
const buffer = domain.register(address, 4 * BYTES, rights | Access.windowBind)
const completion = new WorkCompletion()
const word = (place) => (board >>> 2) + place

function until(condition, what) {
  const end = Date.now() + 20_000
  while (!condition()) {
    device.progress()
    if (Date.now() > end) throw new Error(`waited for ${what}`)
  }
}

/** Words of the board: a line of 16 for each thread. */
const line = (thread) => 64 + thread * 16

function publish(place, value) {
  Atomics.store(i32, word(place), value)
}

function read(place) {
  return Atomics.load(i32, word(place))
}

function create(extra = {}) {
  return domain.createQueuePair({
    sendQueue: cq,
    receiveQueue: cq,
    sendEntries: 64,
    segmentsMax: 2,
    ...extra,
  })
}

/** On to INIT, where receives can be posted. */
function open(queuePair) {
  if (queuePair.state !== 'reset') return
  queuePair.modify({ state: 'init', port: 1, partitionKeyIndex: 0, access: rights })
}

/** Connects a queue pair to the one whose number the peer publishes in this round, and back. */
function connect(queuePair, peer, round) {
  publish(line(index) + 1, queuePair.number)
  publish(line(index), round)
  until(() => read(line(peer)) >= round, "the peer's number")
  open(queuePair)
  queuePair.modify({
    ...{ state: 'readyToReceive', destinationLocalIdentifier: peer + 1, pathMtuBytes: 4096 },
    destinationQueuePairNumber: read(line(peer) + 1),
    ...{ receivePacketSequenceNumber: 0, responderReadsMax: 16, receiverNotReadyTimer: 12 },
  })
  queuePair.modify({
    ...{ state: 'readyToSend', timeout: 14, retryCount: 7, receiverNotReadyRetryCount: 7 },
    ...{ sendPacketSequenceNumber: 0, initiatorReadsMax: 16 },
  })
  publish(line(index) + 2, round)
  until(() => read(line(peer) + 2) >= round, 'the peer to be ready')
}

function next() {
  until(() => cq.pollOne(completion), 'a completion')
  return completion
}

// ---- atomics ------------------------------------------------------------------------------------

function serveAtomics({ peers }) {
  memory.i64[address / 8] = 0n
  publish(0, address)
  publish(1, buffer.remoteKey)
  const pairs = peers.map(() => create())
  peers.forEach((peer, place) => connectServer(pairs[place], peer))
  until(() => peers.every((peer) => read(line(peer) + 5) === 1), 'all to finish')
  return Number(Atomics.load(memory.i64, address / 8))
}

function connectServer(queuePair, peer) {
  publish(line(peer) + 3, queuePair.number)
  until(() => read(line(peer)) >= 1, 'a client')
  bringUp(queuePair, peer, read(line(peer) + 1))
  publish(line(peer) + 4, 1)
}

function bringUp(queuePair, peer, number) {
  open(queuePair)
  queuePair.modify({
    ...{ state: 'readyToReceive', destinationLocalIdentifier: peer + 1, pathMtuBytes: 4096 },
    destinationQueuePairNumber: number,
    ...{ receivePacketSequenceNumber: 0, responderReadsMax: 16, receiverNotReadyTimer: 12 },
  })
  queuePair.modify({
    ...{ state: 'readyToSend', timeout: 14, retryCount: 7, receiverNotReadyRetryCount: 7 },
    ...{ sendPacketSequenceNumber: 0, initiatorReadsMax: 16 },
  })
}

/** Adds 1 by FETCH_ADD and by COMPARE_SWAP in turn; sum of all that was added. */
function addAtomically({ server, count }) {
  const queuePair = create()
  publish(line(index) + 1, queuePair.number)
  publish(line(index), 1)
  until(() => read(line(index) + 4) === 1, 'the server')
  bringUp(queuePair, server, read(line(index) + 3))
  const range = { remoteAddress: read(0) >>> 0, remoteKey: read(1) >>> 0 }
  const segments = [{ address, bytes: 8, localKey: buffer.localKey }]
  let added = 0
  let last = -1n
  while (added < count) {
    const swap = added % 3 === 0
    const request = swap
      ? { opcode: 'compareAndSwap', compare: last, operand: last + 1n }
      : { opcode: 'fetchAndAdd', operand: 1n }
    queuePair.postSend({ ...request, ...range, segments, signaled: true })
    if (next().status !== 0) throw new Error(completion.statusName)
    const before = memory.i64[address / 8]
    if (before < last) throw new Error('the counter went back')
    if (!swap || before === last) added++
    last = swap && before !== last ? before : before + 1n
  }
  publish(line(index) + 5, 1)
  return added
}

// ---- taking memory away under transfers -----------------------------------------------------------

/** Long enough that what is taken away is taken in the middle of a transfer. */
const AREA = 2 ** 20

/** WRITEs ones wherever the other thread allows it, until it is refused; again and again. */
function attack({ peer, rounds }) {
  const source = domain.register(memory.heap.allocate(AREA), AREA, Access.none)
  memory.kernels.fill(source.address, 1, AREA)
  let refused = 0
  for (let round = 1; round <= rounds; round++) {
    const queuePair = create()
    connect(queuePair, peer, round)
    until(() => read(2) >= round, 'a key')
    const [target, key] = [read(3) >>> 0, read(4) >>> 0]
    let status = 0
    while (status === 0) {
      queuePair.write(source.address, AREA, source.localKey, target, key, 1, Send.signaled)
      status = next().status
    }
    refused++
    queuePair.destroy()
    publish(5, round)
    until(() => read(6) >= round, 'the next round')
  }
  return refused
}

/** Lets memory be written, takes it away in one of several ways, and looks for bytes that come late. */
function defend({ peer, rounds, way }) {
  const target = memory.heap.allocate(AREA)
  let written = 0
  for (let round = 1; round <= rounds; round++) {
    const queuePair = create()
    connect(queuePair, peer, round)
    const region = domain.register(target, AREA, rights | Access.windowBind)
    const { key, take } = ways[way](queuePair, region, target)
    publish(3, target)
    publish(4, key | 0)
    publish(2, round)
    for (let spins = 0; spins < 1e6 && Atomics.load(i32, target >>> 2) === 0; spins++);
    take()
    if (u8[target] === 1) written++
    memory.kernels.fill(target, 0, AREA)
    for (let look = 0; look < 3; look++) {
      if (u8.subarray(target, target + AREA).includes(1)) throw new Error('stray')
    }
    until(() => read(5) >= round, 'the attacker')
    while (cq.pollOne(completion));
    if (!queuePair.destroyed) queuePair.destroy()
    if (region.registered) region.deregister()
    publish(6, round)
  }
  return written
}

const ways = {
  deregister: (_queuePair, region) => ({ key: region.remoteKey, take: () => region.deregister() }),
  reregister: (_queuePair, region) => ({
    key: region.remoteKey,
    take: () => region.reregister({ range: { address, bytes: 64 } }),
  }),
  error: (queuePair, region) => ({
    key: region.remoteKey,
    take: () => queuePair.modify({ state: 'error' }),
  }),
  reset: (queuePair, region) => ({
    key: region.remoteKey,
    take: () => queuePair.modify({ state: 'reset' }),
  }),
  destroy: (queuePair, region) => ({ key: region.remoteKey, take: () => queuePair.destroy() }),
  localInvalidate: (queuePair, region, target) => {
    const window = bindSecond(queuePair, region, target)
    return {
      key: window.remoteKey,
      take: () => {
        queuePair.postSend({
          opcode: 'localInvalidate',
          invalidateKey: window.remoteKey,
          signaled: true,
        })
        next()
        window.deallocate()
      },
    }
  },
  deallocateWindow: (queuePair, region, target) => {
    const window = bindSecond(queuePair, region, target)
    return { key: window.remoteKey, take: () => window.deallocate() }
  },
  unbind: (queuePair, region, target) => {
    const window = domain.allocateWindow(1)
    const bind = { window, region, address: target, bytes: AREA, access: Access.remoteWrite }
    queuePair.bindWindow(bind, { signaled: true })
    next()
    return {
      key: window.remoteKey,
      take: () => {
        queuePair.bindWindow({ ...bind, bytes: 0 }, { signaled: true })
        next()
        window.deallocate()
      },
    }
  },
}

function bindSecond(queuePair, region, target) {
  const window = domain.allocateWindow(2)
  const bind = {
    window,
    region,
    address: target,
    bytes: AREA,
    access: Access.remoteWrite,
    key: window.nextKey,
  }
  queuePair.postSend({ opcode: 'bindWindow', bind, signaled: true })
  if (next().status !== 0) throw new Error(completion.statusName)
  return window
}

// ---- completion queues that change under transfers --------------------------------------------------

/** Sends numbered messages as fast as it can. */
function pour({ peer, count }) {
  const queuePair = create()
  connect(queuePair, peer, 1)
  let completed = 0
  for (let sent = 0; sent < count;) {
    const posted = queuePair.postSend({
      opcode: 'sendWithImmediate',
      immediate: sent,
      signaled: true,
    })
    if (posted === 'ok') sent++
    while (cq.pollOne(completion)) {
      if (completion.status !== 0) throw new Error(completion.statusName)
      completed++
    }
  }
  until(() => {
    while (cq.pollOne(completion)) completed++
    return completed === count
  }, 'all to complete')
  return completed
}

/** Receives them in order while its completion queue is resized all the time. */
function drain({ peer, count }) {
  const receiveQueue = device.createCompletionQueue({ entries: 512 })
  const queuePair = create({ receiveQueue, receiveEntries: 128 })
  open(queuePair)
  for (let id = 0; id < 128; id++) queuePair.postReceive({ workRequestId: id })
  connect(queuePair, peer, 1)
  let expected = 0
  let resized = 0
  until(() => {
    while (receiveQueue.pollOne(completion)) {
      if (completion.immediate !== expected)
        throw new Error(`${completion.immediate}, not ${expected}`)
      expected++
      queuePair.postReceive({ workRequestId: 0 })
      if (expected % 50 === 0) {
        try {
          receiveQueue.resize(256 + (expected % 512))
          resized++
        } catch (error) {
          if (error.code !== 'EINVAL') throw error
        }
      }
    }
    return expected === count
  }, 'all messages')
  return resized
}

/** Creates, connects and tears down everything in each round, while the other thread sends. */
function churnHard({ peer, rounds }) {
  let failures = 0
  for (let round = 1; round <= rounds; round++) {
    const own = device.createCompletionQueue({ entries: 64 })
    const queuePair = create({ sendQueue: own, receiveQueue: own })
    connect(queuePair, peer, round)
    for (let id = 0; id < 32; id++) {
      queuePair.postReceive({
        workRequestId: id,
        segments: [{ address, bytes: 64, localKey: buffer.localKey }],
      })
    }
    for (let id = 0; id < 24; id++) {
      queuePair.postSend({
        opcode: 'send',
        segments: [{ address, bytes: 64, localKey: buffer.localKey }],
        signaled: true,
      })
      if (queuePair.state === 'error') break
    }
    while (own.pollOne(completion)) if (completion.status !== 0) failures++
    if ((round + index) % 3 === 0) queuePair.modify({ state: 'error' })
    queuePair.destroy()
    own.destroy()
  }
  return failures
}

// ---- early senders ------------------------------------------------------------------------------

/** Tells the peer a new queue pair's number at once, and comes up, or goes away, some time later. */
function comeLate({ peer, rounds }) {
  for (let round = 1; round <= rounds; round++) {
    const queuePair = create()
    publish(line(index) + 1, queuePair.number)
    publish(line(index), round)
    until(() => read(line(peer)) >= round, "the peer's number")
    for (let wait = (round * 7) % 40; wait > 0; wait--) device.progress()
    if (round % 3 === 0) {
      queuePair.destroy()
    } else {
      open(queuePair)
      queuePair.postReceive({})
      if (round % 3 === 1) bringUp(queuePair, peer, read(line(peer) + 1))
      else queuePair.modify({ state: 'error' })
    }
    until(() => read(line(peer) + 2) >= round, 'the peer to have its completion')
    queuePair.destroy()
    while (cq.pollOne(completion));
  }
}

/** Sends as soon as it knows the peer's number; what became of it. */
function sendEarly({ peer, rounds }) {
  const statuses = []
  for (let round = 1; round <= rounds; round++) {
    const queuePair = create()
    publish(line(index) + 1, queuePair.number)
    publish(line(index), round)
    until(() => read(line(peer)) >= round, "the peer's number")
    bringUp(queuePair, peer, read(line(peer) + 1))
    queuePair.postSend({ opcode: 'send', signaled: true })
    statuses.push(next().statusName)
    publish(line(index) + 2, round)
    queuePair.destroy()
  }
  return statuses
}

// ---- channels, events, connections --------------------------------------------------------------------

function sleepForCompletions({ peer, count }) {
  const channel = device.createCompletionChannel()
  const receiveQueue = device.createCompletionQueue({ entries: 64, channel })
  const queuePair = create({ receiveQueue })
  open(queuePair)
  for (let id = 0; id < 4; id++) queuePair.postReceive({})
  receiveQueue.arm()
  connect(queuePair, peer, 1)
  let received = 0
  let events = 0
  while (received < count) {
    if (channel.wait(20_000) !== receiveQueue) throw new Error('no event')
    events++
    receiveQueue.acknowledge()
    receiveQueue.arm()
    while (receiveQueue.pollOne(completion)) {
      received++
      queuePair.postReceive({})
    }
    // only now may the next one come: the queue is armed and empty, so each has its event
    publish(7, received)
  }
  return events
}

function nudge({ peer, count }) {
  const queuePair = create()
  connect(queuePair, peer, 1)
  for (let sent = 1; sent <= count; sent++) {
    queuePair.postSend({ opcode: 'send', signaled: true })
    next()
    until(() => read(7) >= sent, 'the sleeper')
  }
  return count
}

function countEvents({ peer, rounds }) {
  const names = []
  device.events.on('event', ({ name }) => names.push(name))
  for (let round = 1; round <= rounds; round++) {
    const queuePair = create()
    connect(queuePair, peer, round)
    until(() => names.length === round, 'an event')
    if (queuePair.state !== 'error') throw new Error(queuePair.state)
    queuePair.destroy()
  }
  return names
}

function breakKeys({ peer, rounds }) {
  const statuses = []
  for (let round = 1; round <= rounds; round++) {
    const queuePair = create()
    connect(queuePair, peer, round)
    queuePair.write(address, 8, buffer.localKey, 64, 0x123456, 1, Send.none)
    next()
    statuses.push(completion.statusName)
    queuePair.destroy()
  }
  return statuses
}

/** Takes connections, answers one message on each, until as many have come and gone. */
function serveConnections({ count }) {
  const channel = device.createEventChannel()
  const listener = device.createConnectionIdentifier(channel)
  listener.bindAddress(7471)
  listener.listen()
  publish(8, 1)
  let gone = 0
  while (gone < count) {
    const event = channel.wait(20_000)
    if (event === undefined) throw new Error('no event')
    event.acknowledge()
    if (event.name === 'connectRequest') {
      const queuePair = event.id.createQueuePair(domain, { sendQueue: cq, receiveQueue: cq })
      queuePair.postReceive({ segments: [{ address, bytes: 64, localKey: buffer.localKey }] })
      event.id.accept({ privateData: event.privateData })
    } else if (event.name === 'timeWaitExit') {
      event.id.queuePair.destroy()
      event.id.destroy()
      gone++
    }
  }
  return gone
}

function connectRepeatedly({ peer, count }) {
  until(() => read(8) === 1, 'the server')
  const channel = device.createEventChannel()
  const expectEvent = (name) => {
    const event = channel.wait(20_000)
    event?.acknowledge()
    if (event?.name !== name) throw new Error(`${event?.name}, not ${name}`)
    return event
  }
  for (let round = 0; round < count; round++) {
    const id = device.createConnectionIdentifier(channel)
    id.resolveAddress({ localIdentifier: peer + 1, port: 7471 })
    expectEvent('addressResolved')
    id.resolveRoute()
    expectEvent('routeResolved')
    const queuePair = id.createQueuePair(domain, { sendQueue: cq, receiveQueue: cq })
    id.connect({ privateData: Uint8Array.of(round) })
    if (expectEvent('established').privateData[0] !== round) throw new Error('another connection')
    queuePair.postSend({
      opcode: 'send',
      segments: [{ address, bytes: 8, localKey: buffer.localKey }],
      signaled: true,
    })
    if (next().status !== 0) throw new Error(completion.statusName)
    id.disconnect()
    expectEvent('disconnected')
    expectEvent('timeWaitExit')
    queuePair.destroy()
    id.destroy()
  }
  return count
}

// ---- go ---------------------------------------------------------------------------------------------

parentPort.postMessage('ready')
await new Promise((resolve) => parentPort.once('message', resolve))
const roles = {
  ...{ addAtomically, serveAtomics, attack, defend, pour, drain, sleepForCompletions, nudge },
  ...{ serveConnections, connectRepeatedly, breakKeys, countEvents, churnHard },
  ...{ comeLate, sendEarly },
}
parentPort.postMessage({ result: await roles[role](options) })
