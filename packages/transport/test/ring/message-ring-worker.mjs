// One end of a message ring: sends, or takes and checks, a fixed number of messages of sizes that both
// ends draw from the same generator.
import { parentPort, workerData } from 'node:worker_threads'

import {
  MESSAGE_HEADER_BYTES,
  messageRingPayloadMax,
  MessageRingReceiver,
  MessageRingSender,
  WorldMemory,
} from '@commworld/transport'

const { shared, ring, doorbell, lines, messages, role } = workerData
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

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Asks until the answer is not 0; on a crowded machine the other end needs the processor. */
function ask(question) {
  for (let looks = 1; ; looks++) {
    const answer = question()
    if (answer !== 0) return answer
    if (looks % 500 === 0) Atomics.wait(pause, 0, 0, 0.05)
  }
}

function send() {
  const sender = new MessageRingSender(memory, ring, lines, doorbell)
  for (let id = 1; id <= messages; id++) {
    const bytes = size()
    const at = ask(() => sender.reserve(bytes))
    const inPlace = id % 2 === 0
    const payload = inPlace ? at + MESSAGE_HEADER_BYTES : source
    memory.u8.fill(id, payload, payload + bytes)
    sender.publish(id, bytes, ~id, id, id, id, id, -id, inPlace ? 0 : source, bytes)
  }
}

function receive() {
  const receiver = new MessageRingReceiver(memory, ring, lines)
  for (let id = 1; id <= messages; id++) {
    const at = ask(() => receiver.poll())
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
