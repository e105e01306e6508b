// A counter in the memory of one thread that three others count up: no lock, and the owner does nothing.

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

import { createHcaTable, WorldMemory } from '@commworld/transport'
import { bringUp, createQueuePair, nextCompletion, openHost, piece } from './host.mjs'

const COUNTERS = 3
const ROUNDS = 1000

if (isMainThread) keep()
else count(workerData)

/** Keeps the counter. */
function keep() {
  const memory = WorldMemory.create({ bytes: 2 ** 21 })
  createHcaTable(memory, 1 + COUNTERS)
  const host = openHost(memory, 0)
  const remote = { remoteAddress: host.address, remoteKey: host.region.remoteKey }
  let running = COUNTERS
  for (let index = 1; index <= COUNTERS; index++) {
    const queuePair = createQueuePair(host)
    const { localIdentifier } = host.device
    const peer = { localIdentifier, number: queuePair.number }
    const data = { shared: memory.shared, index, peer, remote }
    const worker = new Worker(new URL(import.meta.url), { workerData: data })
    worker.on('message', (message) => {
      if (message.number === undefined) return console.log(message)
      bringUp(queuePair, message)
      worker.postMessage('go')
    })
    worker.on('exit', () => {
      if (--running > 0) return
      console.log(`the counter stands at ${memory.i64[host.address / 8]}`)
    })
  }
}

/** Counts up. Each addition gives the value of before, so no two get the same. */
function count({ shared, index, peer, remote }) {
  const host = openHost(WorldMemory.attach(shared), index)
  const queuePair = createQueuePair(host)
  const { localIdentifier } = host.device
  parentPort.once('message', () => {
    bringUp(queuePair, peer)
    const segments = [piece(host, 0, 8)]
    let before = -1n
    let rising = true
    for (let round = 0; round < ROUNDS; round++) {
      queuePair.postSend({
        opcode: 'fetchAndAdd',
        segments,
        ...remote,
        operand: 1n,
        signaled: true,
      })
      nextCompletion(host)
      const value = host.memory.i64[host.address / 8]
      rising &&= value > before
      before = value
    }
    parentPort.postMessage(
      `thread ${index} added ${ROUNDS}; what it saw ${rising ? 'rose' : 'fell'}`,
    )
    queuePair.destroy()
  })
  parentPort.postMessage({ localIdentifier, number: queuePair.number })
}
