// The packets behind the calls: opened on a capture's fabric, devices leave a file for Wireshark.
//
// Usage: node examples/verbs/07-capture.mjs FILE

import { capture, createHcaTable, WorldMemory } from '@commworld/transport'
import { connectedPair, nextCompletion, openHost, piece } from './host.mjs'

const trace = capture(process.argv[2] ?? 'verbs.pcap')
const memory = WorldMemory.create({ bytes: 2 ** 20 })
createHcaTable(memory, 2)
const [left, right] = [0, 1].map((index) => openHost(memory, index, trace.fabric))
const [near, far] = connectedPair(left, right)

const { address: remoteAddress, region } = right
const remote = { remoteAddress, remoteKey: region.remoteKey }
const post = (request) => {
  near.postSend({ ...request, signaled: true })
  nextCompletion(left)
}
far.postReceive({ segments: [piece(right, 0, 100)] })
post({ opcode: 'send', segments: [piece(left, 0, 100)] })
post({ opcode: 'rdmaWrite', segments: [piece(left, 0, 2500)], ...remote })
post({ opcode: 'rdmaRead', segments: [piece(left, 0, 1500)], ...remote })
post({ opcode: 'fetchAndAdd', segments: [piece(left, 0, 8)], operand: 5n, ...remote })
trace.close()
console.log(`${trace.packets} packets`)
