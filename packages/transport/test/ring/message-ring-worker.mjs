// One end of a message ring: sends, or takes and checks, a fixed number of messages of sizes that both
// ends draw from the same generator.
import { parentPort, workerData } from 'node:worker_threads'

import {
  doorbellCount,
  markAsleep,
  markAwake,
  MESSAGE_HEADER_BYTES,
  messageRingPayloadMax,
  MessageRingReceiver,
  MessageRingSender,
  sleepOnDoorbell,
  wakeOwner,
  WorldMemory,
} from '@commworld/transport'

const { shared, ring, doorbells, lines, messages, role } = workerData
const [atSender, atReceiver] = doorbells
const memory = WorldMemory.attach(shared)
const longest = messageRingPayloadMax(lines)
const source = memory.heap.allocate(longest)
let state = 4711

function size() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  const kind = state >>> 30
  if (kind === 0) return (state >>> 8) % (longest + 1)
  return (state >>> 8) % 65
}

/** Asks until the answer is not 0, and sleeps on the own doorbell meanwhile, as a rank does. */
function ask(doorbell, question) {
  for (;;) {
    for (let looks = 0; looks < 50; looks++) {
      const answer = question()
      if (answer !== 0) return answer
    }
    markAsleep(memory.i32, doorbell)
    const count = doorbellCount(memory.i32, doorbell)
    const answer = question()
    if (answer === 0) sleepOnDoorbell(memory.i32, doorbell, count, Infinity)
    markAwake(memory.i32, doorbell)
    if (answer !== 0) return answer
  }
}

function send() {
  const sender = new MessageRingSender(memory, ring, lines, atReceiver)
  for (let id = 1; id <= messages; id++) {
    const bytes = size()
    const at = ask(atSender, () => sender.reserve(bytes))
    const inPlace = id % 2 === 0
    const payload = inPlace ? at + MESSAGE_HEADER_BYTES : source
    memory.u8.fill(id, payload, payload + bytes)
    const from = inPlace ? 0 : source
    const asleep = sender.publish(id, bytes, ~id, id, id, id, id, -id, from, bytes)
    if (asleep) wakeOwner(memory.i32, atReceiver)
  }
}

function receive() {
  const receiver = new MessageRingReceiver(memory, ring, lines, atSender)
  for (let id = 1; id <= messages; id++) {
    const at = ask(atReceiver, () => receiver.poll())
    const bytes = size()
    const word = at >>> 2
    const { i32, u8 } = memory
    const header = [i32[word], i32[word + 1], i32[word + 2], i32[word + 7]]
    if (header.join() !== [id, bytes, ~id, -id].join()) throw new Error(`message ${id}: ${header}`)
    const first = at + MESSAGE_HEADER_BYTES
    for (let i = first; i < first + bytes; i++) {
      if (u8[i] !== (id & 0xff)) throw new Error(`message ${id}: byte ${i - first} is ${u8[i]}`)
    }
    receiver.release(bytes)
  }
}

if (role === 'sender') send()
else receive()
parentPort.postMessage(messages)
