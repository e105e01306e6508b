// RDMA: the writer says where the bytes go, and the target's thread has no part in it. With immediate
// data it hears of it all the same: 32 bits in a completion, which comes after the bytes.

import { createHcaTable, WorldMemory } from '@commworld/transport'
import { connectedPair, nextCompletion, openHost, piece, readText, writeText } from './host.mjs'

const memory = WorldMemory.create({ bytes: 2 ** 20 })
createHcaTable(memory, 2)
const [writer, target] = [0, 1].map((index) => openHost(memory, index))
const [from, to] = connectedPair(writer, target)

// What the target tells the writer, once: an address, and the key that lets others write there.
const { address: remoteAddress, region } = target
const { remoteKey } = region

const first = writeText(writer, 0, 'written without a word. ')
from.postSend({
  opcode: 'rdmaWrite',
  segments: [piece(writer, 0, first)],
  remoteAddress,
  remoteKey,
  signaled: true,
})
console.log(`writer: ${nextCompletion(writer).opcodeName}`)
console.log(`target: ${target.completionQueue.empty ? 'heard nothing' : 'heard something'}`)

// Immediate data takes a receive, whose segments are not touched: none are needed.
to.postReceive({ workRequestId: 1 })
const second = writeText(writer, first, 'And this with one.')
from.postSend({
  opcode: 'rdmaWriteWithImmediate',
  segments: [piece(writer, first, second)],
  remoteAddress: remoteAddress + first,
  remoteKey,
  immediate: first + second,
  signaled: true,
})
console.log(`writer: ${nextCompletion(writer).opcodeName}`)
const { opcodeName, immediate, bytes } = nextCompletion(target)
console.log(`target: ${opcodeName}, ${bytes} bytes came, immediate ${immediate}`)
console.log(readText(target, 0, immediate))
