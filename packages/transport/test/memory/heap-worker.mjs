// One thread of the stress test: allocates, checks, scribbles and frees for a number of rounds.
import { parentPort, workerData } from 'node:worker_threads'

import { OutOfMemory, WorldMemory } from '@commworld/transport'

const { shared, thread, rounds } = workerData
const { heap, u8 } = WorldMemory.attach(shared)
const stamp = thread + 1
const held = []
let state = thread * 7919 + 1
let refusals = 0

function random(bound) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * bound)
}

/** Throws unless every byte of the block has the value: somebody else wrote to it. */
function check({ address, bytes }, value) {
  for (let i = 0; i < bytes; i++) {
    if (u8[address + i] !== value) throw new Error(`byte ${i} of ${bytes} is ${u8[address + i]}`)
  }
}

function release(which) {
  const [block] = held.splice(which, 1)
  check(block, stamp)
  heap.free(block.address)
}

for (let round = 0; round < rounds; round++) {
  if (held.length > 0 && random(100) < 45) {
    release(random(held.length))
    continue
  }
  const bytes = random(10) === 0 ? random(40_000) : random(600)
  try {
    const block = { address: heap.allocate(bytes), bytes }
    check(block, 0)
    u8.fill(stamp, block.address, block.address + bytes)
    held.push(block)
  } catch (error) {
    if (!(error instanceof OutOfMemory)) throw error
    refusals++
    if (held.length > 0) release(0)
  }
}
while (held.length > 0) release(held.length - 1)
parentPort.postMessage(refusals)
