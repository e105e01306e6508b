// Messages a second of programs in virtual time, through the whole library with coroutine ranks, and the
// memory that a rank takes: of the heap and of buffers, when all ranks are made, and at its end.
//
// Time is that of the processor, so that other work on the machine counts less.
//
// Usage: node --expose-gc benchmarks/fabric/programs.mjs

import { SUM } from '@commworld/mpi'
import { simulate } from '@commworld/mpi/simulate'
import { fabricModel, kAryNTree, profileNamed, routingNamed } from '@commworld/transport/simulated'

const MESSAGES = 400_000
const programs = {
  async ring({ world, alloc }, times) {
    const { rank, size } = world
    const out = alloc(Float64Array, 1)
    const into = alloc(Float64Array, 1)
    for (let i = 0; i < times; i++) {
      const receive = world.irecvInto(into, { source: (rank + size - 1) % size })
      await world.isend(out, { dest: (rank + 1) % size })
      await receive
    }
  },
  async random({ world, alloc }, times) {
    const { rank, size } = world
    const out = alloc(Float64Array, 1)
    const into = alloc(Float64Array, 1)
    let state = 1
    for (let i = 0; i < times; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      const distance = 1 + ((state >>> 8) % (size - 1))
      const receive = world.irecvInto(into, { source: (rank + size - distance) % size })
      await world.isend(out, { dest: (rank + distance) % size })
      await receive
    }
  },
  async allreduce({ world, alloc }, times) {
    const out = alloc(Float64Array, 1)
    const into = alloc(Float64Array, 1)
    for (let i = 0; i < times; i++) await world.iallreduceInto(out, into, SUM)
  },
}

console.log(
  'program    ranks  layer  messages    cpu s  messages/s  to set up, s  B/rank  at the end',
)
for (const [name, ranks, layer] of [
  ['ring', 256, 1],
  ['ring', 256, 2],
  ['ring', 1024, 1],
  ['ring', 4096, 1],
  ['random', 1024, 1],
  ['allreduce', 256, 1],
  ['allreduce', 1024, 1],
  ['allreduce', 4096, 1],
]) {
  const routing = routingNamed(kAryNTree({ k: 16, n: 3 }), 'd-mod-k')
  const model = fabricModel({ routing, network: profileNamed('hdr'), layer })
  const each = name === 'allreduce' ? Math.log2(ranks) : 1
  const times = Math.max(1, Math.round(MESSAGES / ranks / each))
  // What the run before has left goes only when the event loop has turned.
  bytes()
  await new Promise((resolve) => setTimeout(resolve, 50))
  const bytesBefore = bytes()
  const before = process.cpuUsage()
  let setUp
  let bytesMade
  let bytesEnd
  const { messages } = await simulate(
    ranks,
    async (mpi) => {
      if (setUp === undefined) {
        setUp = seconds(process.cpuUsage(before))
        bytesMade = bytes()
      }
      await programs[name](mpi, times)
      bytesEnd ??= bytes()
    },
    { model },
  )
  const all = seconds(process.cpuUsage(before))
  const rate = Math.round(messages / (all - setUp))
  console.log(
    name.padEnd(9),
    String(ranks).padStart(6),
    String(layer).padStart(6),
    String(messages).padStart(9),
    all.toFixed(2).padStart(8),
    String(rate).padStart(11),
    setUp.toFixed(2).padStart(13),
    perRank(bytesMade).padStart(7),
    perRank(bytesEnd).padStart(11),
  )

  function perRank(now) {
    return globalThis.gc ? Math.round((now - bytesBefore) / ranks).toString() : '-'
  }
}

function bytes() {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function seconds({ user, system }) {
  return (user + system) / 1e6
}
