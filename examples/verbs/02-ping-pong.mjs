// A ball between two threads: each posts a receive before it sends, so that the other never finds none.

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

import { createHcaTable, WorldMemory } from '@commworld/transport'
import { bringUp, createQueuePair, nextCompletion, openHost, piece } from './host.mjs'

const ROUNDS = 5

if (isMainThread) start()
else join(workerData)

function start() {
  const memory = WorldMemory.create({ bytes: 2 ** 20 })
  createHcaTable(memory, 2)
  const players = [0, 1].map((index) => {
    const data = { shared: memory.shared, index }
    return new Worker(new URL(import.meta.url), { workerData: data })
  })
  // The main thread is their telephone: it passes on what each has to know of the other.
  players.forEach((player, index) => {
    player.on('message', (message) => {
      if (typeof message === 'string') console.log(message)
      else players[1 - index].postMessage(message)
    })
  })
}

function join({ shared, index }) {
  const host = openHost(WorldMemory.attach(shared), index)
  const queuePair = createQueuePair(host)
  const ball = piece(host, 0, 4)
  const { i32 } = host.memory
  const { localIdentifier } = host.device
  parentPort.once('message', (peer) => {
    bringUp(queuePair, peer)
    queuePair.postReceive({ segments: [ball] })
    // Who serves must know that the other stands ready: a queue pair that is not up takes nothing.
    parentPort.once('message', play)
    parentPort.postMessage({ ready: true })
  })
  parentPort.postMessage({ localIdentifier, number: queuePair.number })

  function play() {
    if (index === 0) send(0)
    while (receive() < 2 * ROUNDS - 1);
    queuePair.destroy()
  }

  function send(value) {
    i32[host.address >>> 2] = value
    queuePair.postSend({ opcode: 'send', segments: [ball], signaled: true })
  }

  /** Takes the ball, and passes it back unless the game is over. */
  function receive() {
    let completion = nextCompletion(host)
    while (!completion.isReceive) completion = nextCompletion(host)
    if (completion.statusName !== 'success') throw new Error(completion.statusName)
    const value = i32[host.address >>> 2]
    if (value >= 2 * ROUNDS - 2) parentPort.postMessage(`player ${index} got ball ${value}`)
    queuePair.postReceive({ segments: [ball] })
    if (value < 2 * ROUNDS - 1) send(value + 1)
    return value + 1
  }
}
